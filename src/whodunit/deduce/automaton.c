/* One holder's machine, as in automaton.py: every hand followed from the front, equal nodes merged from the back. */
#include "kernel.h"

/* A set of keys that numbers them as they come. */
typedef struct {
    arena *a;
    u128 *key; /* by number */
    i32 *slot;
    int count, room; /* slots: 2 * room, a power of two */
} numbering;

static u64 mixed(u128 key)
{
    u64 x = (u64)key ^ (u64)(key >> 64) * 0x9E3779B97F4A7C15u;
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93u;
    return x ^ x >> 32;
}

static void start(numbering *s, arena *a, int room)
{
    s->a = a;
    s->count = 0;
    s->room = room;
    s->key = NEW(a, u128, room);
    s->slot = NEW(a, i32, 2 * room);
    memset(s->slot, 255, sizeof(i32) * 2 * (size_t)room);
}

static int number_of(numbering *s, u128 key);

static void grow(numbering *s)
{
    numbering larger;
    start(&larger, s->a, 4 * s->room);
    for (int index = 0; index < s->count; index++)
        number_of(&larger, s->key[index]);
    *s = larger;
}

static int number_of(numbering *s, u128 key)
{
    u64 mask = 2 * (u64)s->room - 1, place = mixed(key) & mask;
    while (s->slot[place] >= 0) {
        if (s->key[s->slot[place]] == key)
            return s->slot[place];
        place = (place + 1) & mask;
    }
    if (s->count == s->room) {
        grow(s);
        return number_of(s, key);
    }
    s->slot[place] = s->count;
    s->key[s->count] = key;
    return s->count++;
}

/* An atom that is no clause: where nodes keep its number, with one more bit above it for `given`. */
typedef struct {
    const atom *of;
    int shift, size, bits, left;
    u64 pending;
} field;

static u64 moved(const field *f, u64 value, u64 *bits)
{
    int number = (int)(value & (((u64)1 << f->size) - 1)), held = (int)(value >> f->size & 1);
    const atom *of = f->of;
    int last = ones(of->mask);
    *bits = 0;
    if (number + f->left > last)
        return 0;
    const u64 *table = of->given && !held ? of->off : of->on;
    if (!f->left && !f->pending)
        return table[number];
    *bits = value;
    for (int more = number; more <= number + f->left; more++)
        if (f->pending ? of->on[more] || of->off[more] : table[more] != 0)
            return 1;
    return 0;
}

static level new_level(arena *a, int nodes, int weighted)
{
    level new = {nodes, NEW(a, i32, nodes + 1), NEW(a, i32, nodes + 1), NULL, NULL};
    if (weighted) {
        new.skip_weight = NEW(a, u64, nodes + 1);
        new.take_weight = NEW(a, u64, nodes + 1);
    }
    return new;
}

typedef struct {
    const part *of;
    int clauses, fields;
    const u64 **clause; /* the masks, by their bit in a node */
    field *field;
} reader;

static reader make_reader(arena *a, const part *of)
{
    reader r = {of, 0, 0, NEW(a, const u64 *, of->atoms + 1), NEW(a, field, of->atoms + 1)};
    for (int index = 0; index < of->atoms; index++) {
        const atom *each = &of->atom[index];
        int even = !each->given && !each->on[0];
        for (int number = 2; even && number <= smaller(of->need, ones(each->mask)); number++)
            even = each->on[number] == each->on[1];
        if (even)
            r.clause[r.clauses++] = &each->mask;
        else
            r.field[r.fields++].of = each;
    }
    int shift = 6 + r.clauses;
    for (int index = 0; index < r.fields; index++) {
        field *f = &r.field[index];
        int last = ones(f->of->mask);
        f->shift = shift;
        f->size = last ? 64 - __builtin_clzll((u64)last) : 0;
        f->bits = f->size + (f->of->given != 0);
        f->left = last;
        f->pending = f->of->given;
        shift += f->bits;
    }
    if (shift > 128)
        fail(a, ELSEWHERE);
    return r;
}

static level read_element(arena *a, reader *r, int element, u64 future, const numbering *nodes, numbering *after)
{
    u64 bit = (u64)1 << element;
    int left = ones(future), touched = 0;
    u128 met = 0, last = 0;
    field *moves[ELEMENTS * 8];
    for (int index = 0; index < r->clauses; index++)
        if (*r->clause[index] & bit) {
            met |= (u128)64 << index;
            if (!(*r->clause[index] & future))
                last |= (u128)64 << index;
        }
    for (field *f = r->field; f < r->field + r->fields; f++)
        if ((f->of->mask | f->of->given) & bit) {
            f->left -= (f->of->mask & bit) != 0;
            f->pending &= ~bit;
            moves[touched++] = f;
        }
    level new = new_level(a, nodes->count, touched > 0);
    for (int node = 0; node < nodes->count; node++) {
        u128 key = nodes->key[node], skipped = key, taken = (key - 1) & ~met;
        int need = (int)(key & 63);
        u64 skip_weight = need <= left && !(key & last), take_weight = need > 0;
        for (int index = 0; index < touched; index++) {
            const field *f = moves[index];
            u128 where = (((u128)1 << f->bits) - 1) << f->shift;
            u64 value = (u64)((key & where) >> f->shift), bits;
            if (skip_weight) {
                skip_weight = times(a, skip_weight, moved(f, value, &bits));
                skipped = (skipped & ~where) | (u128)bits << f->shift;
            }
            if (take_weight) {
                u64 more = f->of->mask & bit ? 1 : (u64)1 << f->size;
                take_weight = times(a, take_weight, moved(f, value + more, &bits));
                taken = (taken & ~where) | (u128)bits << f->shift;
            }
        }
        new.skip[node] = skip_weight ? number_of(after, skipped) : DEAD;
        new.take[node] = take_weight ? number_of(after, taken) : DEAD;
        if (touched) {
            new.skip_weight[node] = skip_weight;
            new.take_weight[node] = take_weight;
        }
    }
    return new;
}

static void follow(arena *a, const part *of, const int *own, int length, level *levels)
{
    reader r = make_reader(a, of);
    numbering nodes, after;
    start(&nodes, a, 1);
    number_of(&nodes, (u128)of->need | ((((u128)1 << r.clauses) - 1) << 6));
    u64 future = of->free;
    for (int place = 0; place < length; place++) {
        future &= ~((u64)1 << own[place]);
        start(&after, a, 16);
        levels[place] = read_element(a, &r, own[place], future, &nodes, &after);
        nodes = after;
        if (nodes.count > HALF_NODES)
            fail(a, ELSEWHERE);
    }
}

/* A holder's hands given one by one: as codes with the first element on top they are sorted, and a node is a run. */

typedef struct {
    u64 code, weight;
} coded;

static int by_code(const void *one, const void *other)
{
    u64 x = ((const coded *)one)->code, y = ((const coded *)other)->code;
    return (x > y) - (x < y);
}

static void follow_listed(arena *a, const part *of, const int *own, int length, level *levels)
{
    i64 count = of->hands;
    coded *hands = NEW(a, coded, count);
    for (i64 index = 0; index < count; index++) {
        u64 mask = of->hand[2 * index], code = 0;
        for (int place = 0; place < length; place++)
            code = code << 1 | (mask >> own[place] & 1);
        hands[index] = (coded){code, of->hand[2 * index + 1]};
    }
    qsort(hands, (size_t)count, sizeof(coded), by_code);
    i64 *runs = NEW(a, i64, count + 1), *after = NEW(a, i64, count + 1);
    int nodes = 1;
    runs[0] = 0;
    runs[1] = count;
    for (int place = 0; place < length; place++) {
        int bit = length - 1 - place, found = 0;
        level new = new_level(a, nodes, !bit);
        for (int node = 0; node < nodes; node++) {
            i64 middle = runs[node], end = runs[node + 1];
            while (middle < end && !(hands[middle].code >> bit & 1))
                middle++;
            new.skip[node] = new.take[node] = DEAD;
            if (runs[node] < middle) {
                new.skip[node] = bit ? found : 0;
                after[found++] = runs[node];
            }
            if (middle < end) {
                new.take[node] = bit ? found : 0;
                after[found++] = middle;
            }
            if (!bit) {
                new.skip_weight[node] = runs[node] < middle ? hands[runs[node]].weight : 0;
                new.take_weight[node] = middle < end ? hands[middle].weight : 0;
            }
        }
        after[found] = count;
        i64 *swap = runs;
        runs = after;
        after = swap;
        nodes = found;
        levels[place] = new;
    }
}

static u64 divisor_of(u64 x, u64 y)
{
    while (y) {
        u64 rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

/* Pairs of (class, weight) that have been seen, as the nodes of a smaller level. */
typedef struct {
    i32 skip, take;
    u64 skip_weight, take_weight;
} merged;

typedef struct {
    merged *node;
    i32 *slot;
    int count;
    u64 mask;
} merging;

static i32 class_of(merging *m, merged key)
{
    u128 text = ((u128)(u64)(u32)key.skip << 32 | (u64)(u32)key.take) ^ (u128)key.skip_weight << 64 ^
                (u128)key.take_weight << 83;
    u64 place = mixed(text) & m->mask;
    for (; m->slot[place] >= 0; place = (place + 1) & m->mask) {
        const merged *other = &m->node[m->slot[place]];
        if (other->skip == key.skip && other->take == key.take && other->skip_weight == key.skip_weight &&
            other->take_weight == key.take_weight)
            return m->slot[place];
    }
    m->node[m->count] = key;
    return m->slot[place] = m->count++;
}

static level merge(arena *a, const level *of, i32 **classes, u64 **common, int *even)
{
    u64 room = 4;
    while (room < 2 * (u64)of->nodes)
        room *= 2;
    merging m = {NEW(a, merged, of->nodes + 1), NEW(a, i32, room), 0, room - 1};
    memset(m.slot, 255, sizeof(i32) * room);
    i32 *found = NEW(a, i32, of->nodes + 1);
    u64 *shared = NEW(a, u64, of->nodes + 1);
    int plain = *even && !of->skip_weight;
    for (int node = 0; node < of->nodes; node++) {
        i32 skip = of->skip[node], take = of->take[node];
        u64 one = 0, other = 0;
        if (skip >= 0)
            one = times(a, of->skip_weight ? of->skip_weight[node] : 1, (*common)[skip]);
        if (take >= 0)
            other = times(a, of->take_weight ? of->take_weight[node] : 1, (*common)[take]);
        u64 divisor = plain ? one | other : divisor_of(one, other);
        shared[node] = divisor;
        found[node] = DEAD;
        if (!divisor)
            continue;
        merged key = {one ? (*classes)[skip] : DEAD, other ? (*classes)[take] : DEAD, one / divisor, other / divisor};
        found[node] = class_of(&m, key);
    }
    level new = new_level(a, m.count, 1);
    *even = 1;
    int weighted = 0;
    for (int node = 0; node < of->nodes; node++)
        *even &= shared[node] <= 1;
    for (int node = 0; node < m.count; node++) {
        new.skip[node] = m.node[node].skip;
        new.take[node] = m.node[node].take;
        new.skip_weight[node] = m.node[node].skip_weight;
        new.take_weight[node] = m.node[node].take_weight;
        weighted |= new.skip_weight[node] > 1 || new.take_weight[node] > 1;
    }
    if (!weighted)
        new.skip_weight = new.take_weight = NULL;
    *classes = found;
    *common = shared;
    return new;
}

int build_automaton(arena *a, const part *of, const int *order, int length, automaton *into)
{
    int own[ELEMENTS], count = 0;
    level levels[ELEMENTS];
    for (int place = 0; place < length; place++) {
        into->by_element[order[place]].nodes = 0;
        if (of->free >> order[place] & 1)
            own[count++] = order[place];
    }
    if (of->hands >= 0)
        follow_listed(a, of, own, count, levels);
    else
        follow(a, of, own, count, levels);
    i32 none = 0, *classes = &none;
    u64 one = 1, *common = &one;
    int even = 1;
    into->holder = of->holder;
    into->need = of->need;
    into->free = of->free;
    into->width = 1;
    for (int place = count - 1; place >= 0; place--) {
        level *new = &into->by_element[own[place]];
        *new = merge(a, &levels[place], &classes, &common, &even);
        into->width = larger(into->width, new->nodes);
    }
    into->factor = common[0];
    return classes[0] >= 0;
}
