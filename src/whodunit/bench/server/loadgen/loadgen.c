/* The load of `whodunit bench server`: plays prepared scripts over WebSockets and counts.

   loadgen PLAN seconds|moves WARM LENGTH [RATE]

   A plan is lines of tab-separated fields; the first is a letter (see read_plan). It knows no game: a table's script is
   a list of steps, each with the seat that sends a frame (or -1: the house moves by itself) and the number that every
   seat of the table must have been told before the step counts as done. Only then is the next one begun: at once, or
   with a RATE at the table's next moment, of which all tables together have so many a second; then latency is counted
   from that moment, also if the step could not yet be begun. Tables without a script are sockets that only listen.
   It warms up and then measures for so many seconds, or for so many moves of all tables together: as frames grow while
   a game is played, servers are compared over the same moves. Prints `begin` and `end` round what is measured, then one
   line of JSON. */

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { MOST_SEATS = 8, BUFFER = 1 << 18, HELLOS = 8, MOST_TIMES = 1 << 20, PATIENCE = 300 /* seconds */ };

typedef struct {
    long number; /* what every seat has been told when the step is done */
    int seat;
    char *frame;
    int length;
} Step;

typedef struct {
    Step *steps;
    long count, room, next;
    int seats, sockets[MOST_SEATS];
    long told[MOST_SEATS];
    double began;
    int sent, ended;
    long begun; /* how many steps a seat has sent since the clock was set */
    char *along; /* what its seats ask whenever they are told of a step, unless their last such ask is unanswered */
} Table;

typedef struct {
    int fd, table, seat, port, used, hellos, asking;
    char *path, *cookie, *hello[HELLOS], *in; /* a hello of NULL: wait for a frame */
    int hello_length[HELLOS];
} Socket;

static Table *tables;
static Socket *sockets;
static int table_count, socket_count, port, cycle, opcode = 1;
static char how = 'c', *marker = "", *refusal = "\1";
static long done, moves, asked, along, refused, frames, bytes, ended, times_count;
static double *times, now_s, rate, origin;
static long slots; /* how many moments have come since the clock was set */
static int measuring;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void die(const char *what) {
    fprintf(stderr, "loadgen: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
    exit(1);
}

static void *grown(void *old, size_t size) {
    void *new = realloc(old, size);
    if (!new) die("no memory");
    return new;
}

/* --- The plan --- */

static char *field(char **rest) {
    char *text = strsep(rest, "\t");
    if (!text) die("a line of the plan is too short");
    return text;
}

/* Return how long a frame is; where frames are binary, after turning its hexadecimal digits into bytes. */
static int unhexed(char *text) {
    int length = (int)strlen(text);
    if (opcode == 1) return length;
    for (int i = 0; i + 1 < length; i += 2) {
        char digits[3] = {text[i], text[i + 1], 0};
        text[i / 2] = (char)strtol(digits, NULL, 16);
    }
    return length / 2;
}

/* P port (of the sockets that follow) | M how marker | E refusal | C (repeat the scripts) | B (binary frames) | S table seat path cookie | W | H frame
   | A table number seat frame | N table frame (asked along, with "n":77) */
static void read_plan(const char *name) {
    FILE *file = fopen(name, "r");
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    if (!file) die(name);
    while ((length = getline(&line, &room, file)) > 0) {
        if (line[length - 1] == '\n') line[length - 1] = 0;
        char *rest = strdup(line), *kind = field(&rest);
        Socket *last = sockets + socket_count - 1;
        switch (*kind) {
        case 'P': port = atoi(field(&rest)); break;
        case 'M': how = *field(&rest), marker = field(&rest); break;
        case 'E': refusal = field(&rest); break;
        case 'C': cycle = 1; break;
        case 'B': opcode = 2; break;
        case 'W': case 'H':
            if (!socket_count || last->hellos == HELLOS) die("a greeting has no socket, or too many");
            if (*kind == 'H') {
                last->hello[last->hellos] = field(&rest);
                last->hello_length[last->hellos] = unhexed(last->hello[last->hellos]);
            }
            last->hellos++;
            break;
        case 'S': {
            sockets = grown(sockets, sizeof(Socket) * (size_t)(socket_count + 1));
            Socket *s = sockets + socket_count;
            *s = (Socket){.table = atoi(field(&rest)), .seat = atoi(field(&rest)), .in = grown(NULL, BUFFER)};
            s->port = port;
            s->path = field(&rest), s->cookie = field(&rest);
            while (table_count <= s->table) {
                tables = grown(tables, sizeof(Table) * (size_t)(table_count + 1));
                tables[table_count++] = (Table){0};
            }
            Table *t = tables + s->table;
            if (s->seat != t->seats || t->seats == MOST_SEATS) die("seats must come in order");
            t->sockets[t->seats++] = socket_count++;
            break;
        }
        case 'A': {
            Table *t = tables + atoi(field(&rest));
            if (t->count == t->room) t->steps = grown(t->steps, sizeof(Step) * (size_t)(t->room = 2 * t->room + 64));
            Step *step = t->steps + t->count++;
            *step = (Step){.number = atol(field(&rest)), .seat = atoi(field(&rest))};
            step->frame = field(&rest), step->length = unhexed(step->frame);
            break;
        }
        case 'N': {
            Table *t = tables + atoi(field(&rest));
            t->along = field(&rest);
            break;
        }
        default: die("a line of the plan begins with an unknown letter");
        }
    }
    free(line);
    fclose(file);
}

/* --- WebSocket --- */

static void send_frame(Socket *s, int kind, const char *data, int length) {
    unsigned char out[8192];
    int head = length < 126 ? 2 : 4;
    if (length > (int)sizeof out - 8) die("a frame of the plan is too long");
    out[0] = (unsigned char)(0x80 | kind);
    out[1] = (unsigned char)(0x80 | (length < 126 ? length : 126));
    if (head == 4) out[2] = (unsigned char)(length >> 8), out[3] = (unsigned char)length;
    memset(out + head, 0, 4); /* a mask of zeros is a mask: the data stay as they are */
    memcpy(out + head + 4, data, (size_t)length);
    if (write(s->fd, out, (size_t)(head + 4 + length)) != head + 4 + length) die("the server does not read");
}

/* Return how many bytes the first frame of so many bytes takes, 0 if it is not whole. */
static int whole_frame(char *bytes, int count, int *kind, char **data, long *length) {
    const unsigned char *in = (unsigned char *)bytes;
    int head = 2;
    if (count < 2) return 0;
    long size = in[1] & 127;
    if (size == 126) {
        if (count < (head = 4)) return 0;
        size = in[2] << 8 | in[3];
    } else if (size == 127) {
        if (count < (head = 10)) return 0;
        size = (long)in[6] << 24 | in[7] << 16 | in[8] << 8 | in[9];
    }
    if (size + head > BUFFER) errno = 0, die("a frame of the server is too long");
    if (count < size + head) return 0;
    *kind = in[0] & 15, *data = bytes + head, *length = size;
    return head + (int)size;
}

static void fill(Socket *s) {
    errno = 0;
    ssize_t got = read(s->fd, s->in + s->used, (size_t)(BUFFER - s->used));
    if (got == 0) errno = 0, die("the server has closed a socket");
    if (got < 0 && errno != EAGAIN) die("read");
    if (got > 0) s->used += (int)got;
}

/* --- Playing --- */

static long number_in(Socket *s, char *data, long length) {
    Table *t = tables + s->table;
    if (how == 'c') return t->told[s->seat] + 1; /* every frame counts one */
    char *found = memmem(data, (size_t)length, marker, strlen(marker)), *last = found;
    while (how == 'l' && found) { /* the last one */
        last = found;
        found = memmem(found + 1, (size_t)(data + length - found - 1), marker, strlen(marker));
    }
    return last ? atol(last + strlen(marker)) : -1;
}

static void take(Socket *s, int kind, char *data, long length) {
    if (kind == 9) { send_frame(s, 10, data, (int)length); return; }
    if (kind == 8) { errno = 0; die("the server has said goodbye"); }
    if (length == 1 && *data == '2') { send_frame(s, 1, "3", 1); return; } /* Engine.IO's own ping */
    frames++, bytes += length;
    if (memmem(data, (size_t)length, refusal, strlen(refusal))) {
        if (!refused++) fprintf(stderr, "loadgen: refused: %.*s\n", length > 300 ? 300 : (int)length, data);
    }
    if (s->asking && memmem(data, (size_t)(length > 40 ? 40 : length), "\"n\":77,", 7)) {
        s->asking = 0, along++;
        return;
    }
    long number = number_in(s, data, length);
    long *told = tables[s->table].told + s->seat;
    if (number > *told) *told = number;
}

static Step *current(Table *t, long *number) {
    if (!cycle && t->next >= t->count) return NULL;
    Step *step = t->steps + t->next % t->count;
    *number = cycle ? t->next + 1 : step->number;
    return step;
}

/* The moment at which the table's next step may be begun. */
static double moment(Table *t) {
    return origin + (double)(t->begun * table_count + (t - tables)) / rate;
}

static void ask_along(Table *t) {
    for (int seat = 0; t->along && seat < t->seats; seat++) {
        Socket *s = sockets + t->sockets[seat];
        if (s->asking) continue;
        s->asking = 1;
        send_frame(s, 1, t->along, (int)strlen(t->along));
    }
}

/* Finish every step of the table that all its seats have been told of, and begin the next. */
static void play(Table *t) {
    for (;;) {
        long number;
        Step *step = current(t, &number);
        if (!step) {
            if (!t->ended && t->count) ended += t->ended = 1;
            return;
        }
        if (!t->sent) {
            t->began = now_s;
            if (rate > 0 && step->seat >= 0) {
                if (now_s < moment(t)) return;
                t->began = moment(t), t->begun++;
            }
            t->sent = 1;
            if (step->seat >= 0) send_frame(sockets + t->sockets[step->seat], opcode, step->frame, step->length);
        }
        for (int seat = 0; seat < t->seats; seat++)
            if (t->told[seat] < number) return;
        done++;
        if (measuring) {
            moves++, asked += step->seat >= 0;
            if (step->seat >= 0 && times_count < MOST_TIMES) times[times_count++] = now_s - t->began;
        }
        ask_along(t);
        long next;
        t->sent = 0, t->next++;
        if (current(t, &next) && next <= number) memset(t->told, 0, sizeof t->told); /* another game begins */
    }
}

/* Take in up to `most` frames; return how many there were. */
static int receive(Socket *s, int most) {
    int kind, taken, from = 0, count = 0;
    char *data;
    long length;
    while (count < most && (taken = whole_frame(s->in + from, s->used - from, &kind, &data, &length))) {
        take(s, kind, data, length);
        from += taken, count++;
    }
    memmove(s->in, s->in + from, (size_t)(s->used -= from));
    return count;
}

/* --- Connecting --- */

static void connect_socket(Socket *s) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)s->port)};
    struct timeval patience = {.tv_sec = 20};
    int one = 1;
    char request[2048], *end;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    s->fd = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(s->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(s->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(s->fd, (struct sockaddr *)&address, sizeof address)) die("connect");
    int length = snprintf(request, sizeof request,
        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nOrigin: http://127.0.0.1:%d\r\nCookie: %s\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: d2hvZHVuaXQgYmVuY2hlcw==\r\n\r\n",
        s->path, s->port, s->port, s->cookie);
    if (length >= (int)sizeof request || write(s->fd, request, (size_t)length) != length) die("handshake");
    do {
        fill(s);
        if (errno == EAGAIN) die("the server does not answer a handshake");
    } while (!(end = memmem(s->in, (size_t)s->used, "\r\n\r\n", 4)));
    if (strncmp(s->in, "HTTP/1.1 101", 12)) errno = 0, fprintf(stderr, "%.*s\n", s->used, s->in), die("no upgrade");
    end += 4;
    s->used -= (int)(end - s->in);
    memmove(s->in, end, (size_t)s->used);
    for (int hello = 0; hello < s->hellos; hello++) {
        if (s->hello[hello]) {
            send_frame(s, opcode, s->hello[hello], s->hello_length[hello]);
            continue;
        }
        while (!receive(s, 1)) {
            fill(s);
            if (errno == EAGAIN) die("the server does not answer a greeting");
        }
    }
    fcntl(s->fd, F_SETFL, O_NONBLOCK);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double percentile(double share) {
    return times_count ? 1000 * times[(long)(share * (double)(times_count - 1))] : 0;
}

/* Go on until a moment, or until so many moves are done or cannot be: a script has ended, or a move was refused. */
static void serve(int poll, double until, long enough) {
    struct epoll_event ready[256];
    while ((now_s = now()) < until && done < enough && (enough == LONG_MAX || !(ended || refused))) {
        double next = rate > 0 && origin > 0 ? origin + (double)slots / rate : until;
        double wait = next < until ? next - now_s : until - now_s + 1e-3; /* towards a moment rather too early */
        int count = epoll_wait(poll, ready, 256, wait > 0 ? (int)(1000 * wait) : 0);
        now_s = now();
        for (; rate > 0 && origin > 0 && origin + (double)slots / rate <= now_s; slots++)
            play(tables + slots % table_count);
        for (int i = 0; i < count; i++) {
            Socket *s = sockets + ready[i].data.u32;
            fill(s);
            if (receive(s, 1 << 30) && origin > 0) play(tables + s->table);
        }
    }
}

/* Go on for so many seconds, or for so many moves more. */
static void last(int poll, int by_moves, const char *length) {
    long enough = done + atol(length);
    if (!by_moves) return serve(poll, now() + atof(length), LONG_MAX);
    serve(poll, now() + PATIENCE, enough);
    if (done < enough && !ended && !refused) errno = 0, die("the moves take too long");
}

int main(int argc, char **argv) {
    if (argc < 5) errno = 0, die("usage: loadgen PLAN seconds|moves WARM LENGTH [RATE]");
    int by_moves = !strcmp(argv[2], "moves");
    rate = argc > 5 ? atof(argv[5]) : 0;
    int poll = epoll_create1(0);
    times = grown(NULL, sizeof(double) * MOST_TIMES);
    read_plan(argv[1]);
    for (int i = 0; i < socket_count; i++) {
        struct epoll_event event = {.events = EPOLLIN, .data.u32 = (uint32_t)i};
        connect_socket(sockets + i);
        epoll_ctl(poll, EPOLL_CTL_ADD, sockets[i].fd, &event);
        if (i % 50 == 49) serve(poll, now() + 1e-3, LONG_MAX); /* whoever is there already may be asked whether it still is */
    }
    serve(poll, now() + 0.3, LONG_MAX); /* what the greetings have set going comes to rest */
    now_s = origin = now();
    for (int i = 0; i < table_count; i++) {
        memset(tables[i].told, 0, sizeof tables[i].told);
        play(tables + i);
    }
    last(poll, by_moves, argv[3]);
    puts("begin"), fflush(stdout);
    measuring = 1, frames = bytes = along = 0;
    double begin = now();
    last(poll, by_moves, argv[4]);
    double seconds = now() - begin;
    puts("end"), fflush(stdout);
    qsort(times, (size_t)times_count, sizeof(double), by_size);
    printf("{\"moves\": %ld, \"asked\": %ld, \"seconds\": %.6f, \"p50_ms\": %.4f, \"p99_ms\": %.4f, \"frames\": %ld, "
           "\"bytes\": %ld, \"along\": %ld, \"refused\": %ld, \"ended\": %ld}\n",
           moves, asked, seconds, percentile(0.5), percentile(0.99), frames, bytes, along, refused, ended);
    return 0;
}
