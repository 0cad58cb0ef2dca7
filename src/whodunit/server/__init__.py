"""The site: pages, sockets, lobby, people, and the bots that sit down beside them."""
