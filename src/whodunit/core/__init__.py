"""What every game shares: values, redaction, randomness and the ports to the outside."""
