/* Counting deals: everything that engine.py asks for, in one call each. The Python modules of the same names say why
   it is done this way; this file and those it includes say the same in C, and the tests hold them together. */
#include "kernel.h"

#define NUM u64
#define NAME(x) x##_64
#include "count.h"
#include "joint.h"
#undef NUM
#undef NAME
#define NUM u128
#define NAME(x) x##_128
#include "count.h"
#include "joint.h"

/* A position ready to be counted. */
typedef struct {
    position of;
    automaton *machine[HOLDERS];
    half one, other;
    int wide; /* numbers need more than 64 bits */
} counter;

static int prepare(arena *a, const u64 *problem, counter *c)
{
    position *p = &c->of;
    if (!read_position(a, problem, p))
        return 0;
    c->wide = bound_of(a, p) >> 63 != 0;
    if (bound_of(a, p) >> 126)
        fail(a, ELSEWHERE);
    for (int index = 0; index < p->parts; index++) {
        c->machine[index] = NEW(a, automaton, 1);
        if (!build_automaton(a, &p->part[index], p->order, p->length, c->machine[index]))
            return 0;
        p->factor = times(a, p->factor, c->machine[index]->factor);
    }
    return 1;
}

/* Split the holders so that both halves have about as many states. */
static void split(arena *a, counter *c)
{
    automaton *halves[2][HOLDERS];
    int count[2] = {0, 0}, side_of[HOLDERS], parts = c->of.parts;
    double widths[2] = {1, 1};
    u64 left = ((u64)1 << parts) - 1;
    while (left) {
        int widest = lowest(left);
        for (u64 rest = left; rest; rest &= rest - 1)
            if (c->machine[lowest(rest)]->width > c->machine[widest]->width)
                widest = lowest(rest);
        int side = widths[1] < widths[0];
        widths[side] *= c->machine[widest]->width;
        side_of[widest] = side;
        left &= ~((u64)1 << widest);
    }
    for (int index = 0; index < parts; index++) /* by holder, as worlds are ranked */
        halves[side_of[index]][count[side_of[index]]++] = c->machine[index];
    c->one = build_half(a, halves[0], count[0], halves[1], count[1], c->of.order, c->of.length);
    c->other = build_half(a, halves[1], count[1], halves[0], count[0], c->of.order, c->of.length);
}

#define ENTER(a)                 \
    arena *a = opened();         \
    int why = setjmp(a->out);    \
    if (why) {                   \
        closed(a);               \
        return why;              \
    }

#define EITHER(c, name, ...) ((c)->wide ? name##_128(__VA_ARGS__) : name##_64(__VA_ARGS__))

/* out: the total, then by element and holder the masses, two words each; cleared by the caller. */
int whodunit_solve(const u64 *problem, u64 *out)
{
    ENTER(a)
    counter *c = NEW(a, counter, 1);
    if (prepare(a, problem, c)) {
        split(a, c);
        EITHER(c, solve, a, &c->of, &c->one, &c->other, out);
    }
    closed(a);
    return COUNTED;
}

/* out: 1 or 0. */
int whodunit_possible(const u64 *problem, u64 *out)
{
    ENTER(a)
    counter *c = NEW(a, counter, 1);
    *out = 0;
    if (prepare(a, problem, c)) {
        split(a, c);
        *out = (u64)EITHER(c, possible, a, &c->of, &c->one, &c->other);
    }
    closed(a);
    return COUNTED;
}

/* ranks: two words each; out: by rank and holder the mask of what it has. */
int whodunit_worlds(const u64 *problem, const u64 *ranks, i64 count, u64 *out)
{
    ENTER(a)
    counter *c = NEW(a, counter, 1);
    if (prepare(a, problem, c)) {
        split(a, c);
        EITHER(c, worlds, a, &c->of, &c->one, &c->other, ranks, count, out);
    }
    closed(a);
    return COUNTED;
}

/* out: the order of the free elements, after their number. */
int whodunit_order(const u64 *problem, u64 *out)
{
    ENTER(a)
    position *p = NEW(a, position, 1);
    *out = 0;
    if (read_position(a, problem, p)) {
        *out = (u64)p->length;
        for (int place = 0; place < p->length; place++)
            out[1 + place] = (u64)p->order[place];
    }
    closed(a);
    return COUNTED;
}

/* Where ways to begin and ways to end meet at the least cost. */
static int best_cut(arena *a, const position *p, const automaton *own, const half *rest)
{
    int length = p->length, best = 0;
    double *begins = NEW_CLEARED(a, double, length + 1), *ends = NEW_CLEARED(a, double, length + 1);
    double *ways = NEW_CLEARED(a, double, own->width + 1), *next = NEW(a, double, own->width + 1);
    ways[0] = 1;
    for (int place = 0; place < length; place++) {
        const level *at = own->free >> p->order[place] & 1 ? &own->by_element[p->order[place]] : NULL;
        for (int node = 0; node < own->width; node++)
            begins[place] += ways[node];
        if (!at)
            continue;
        memset(next, 0, sizeof(double) * (size_t)own->width);
        for (int node = 0; node < at->nodes; node++) {
            if (at->skip[node] >= 0)
                next[at->skip[node]] += ways[node];
            if (at->take[node] >= 0)
                next[at->take[node]] += ways[node];
        }
        memcpy(ways, next, sizeof(double) * (size_t)own->width);
    }
    if (ways[0] > JOINT)
        fail(a, TOO_WIDE);
    memset(ways, 0, sizeof(double) * (size_t)own->width);
    ways[0] = 1;
    for (int place = length - 1; place >= 0; place--) {
        const level *at = own->free >> p->order[place] & 1 ? &own->by_element[p->order[place]] : NULL;
        for (int node = 0; at && node < at->nodes; node++)
            next[node] = (at->skip[node] < 0 ? 0 : ways[at->skip[node]]) + (at->take[node] < 0 ? 0 : ways[at->take[node]]);
        if (at) {
            memset(ways, 0, sizeof(double) * (size_t)own->width);
            memcpy(ways, next, sizeof(double) * (size_t)at->nodes);
        }
        for (int node = 0; node < own->width; node++)
            ends[place] += ways[node];
    }
    double cost = 0, least;
    for (int place = 0; place < length; place++)
        cost += ends[place] * rest->level[place].nodes;
    least = cost;
    for (int place = 0; place < length; place++) {
        cost += (begins[place] - ends[place]) * rest->level[place].nodes;
        if (cost < least) {
            least = cost;
            best = place + 1;
        }
    }
    return best;
}

/* out: the number of hands, then mask and weight of each, three words together. */
int whodunit_joint(const u64 *problem, int holder, u64 *out)
{
    ENTER(a)
    counter *c = NEW(a, counter, 1);
    *out = 0;
    if (prepare(a, problem, c)) {
        automaton *own = NULL, *others[HOLDERS];
        int count = 0;
        for (int index = 0; index < c->of.parts; index++)
            if (c->machine[index]->holder == holder)
                own = c->machine[index];
            else
                others[count++] = c->machine[index];
        automaton settled = {.holder = holder, .need = 0, .width = 1, .free = 0, .factor = 1};
        own = own ? own : &settled;
        half rest = build_half(a, others, count, &own, 1, c->of.order, c->of.length);
        int cut = best_cut(a, &c->of, own, &rest);
        *out = (u64)EITHER(c, joint, a, &c->of, own, &rest, cut, out + 1);
    }
    closed(a);
    return COUNTED;
}
