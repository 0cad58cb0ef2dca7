/* What one half of the holders can do together: the machines side by side, as far as the other half lets them. */
#include "kernel.h"

typedef struct {
    int shift, holder;
    u64 mask;
    const level *of;
} active;

/* Packed nodes of the next level, numbered as they come. */
typedef struct {
    u64 *key;
    u8 *need;
    i32 *slot;
    int count, room;
} nodes;

static void start(arena *a, nodes *s, int room)
{
    s->count = 0;
    s->room = room;
    s->key = NEW(a, u64, room);
    s->need = NEW(a, u8, room);
    s->slot = NEW(a, i32, 2 * room);
    memset(s->slot, 255, sizeof(i32) * 2 * (size_t)room);
}

static i32 add(arena *a, nodes *s, u64 key, int need)
{
    if (s->count == s->room) {
        nodes larger;
        start(a, &larger, 4 * s->room);
        for (int index = 0; index < s->count; index++)
            add(a, &larger, s->key[index], s->need[index]);
        *s = larger;
    }
    u64 mask = 2 * (u64)s->room - 1, place = key * 0x9E3779B97F4A7C15u;
    place = (place ^ place >> 29) & mask;
    for (; s->slot[place] >= 0; place = (place + 1) & mask)
        if (s->key[s->slot[place]] == key)
            return s->slot[place];
    s->key[s->count] = key;
    s->need[s->count] = (u8)need;
    return s->slot[place] = s->count++;
}

/* How many elements the half may still need after a level: no fewer than the others cannot take. */
typedef struct {
    int low, high, may_skip;
} limits;

static void step(arena *a, half_level *at, int node, u64 key, const active *on, int count, limits l, nodes *after)
{
    i32 moves = at->takes[node];
    int need = at->need[node], blocked = DEAD;
    u64 stay = key, weight = 1;
    at->skip[node] = DEAD;
    at->skip_weight[node] = 1;
    at->takes[node + 1] = moves;
    for (int index = 0; index < count; index++) {
        u64 own = key >> on[index].shift & on[index].mask;
        i32 left = on[index].of->skip[own];
        if (left < 0) {
            if (blocked != DEAD)
                return;
            blocked = index;
            continue;
        }
        stay += (u64)(left - (i64)own) << on[index].shift;
        if (on[index].of->skip_weight)
            weight = times(a, weight, on[index].of->skip_weight[own]);
    }
    if (blocked == DEAD && l.may_skip && l.low <= need && need <= l.high) {
        at->skip[node] = add(a, after, stay, need);
        at->skip_weight[node] = weight;
    }
    if (need - 1 < l.low || need - 1 > l.high)
        return;
    for (int index = 0; index < count; index++) {
        if (blocked != DEAD && blocked != index)
            continue;
        const level *of = on[index].of;
        u64 own = key >> on[index].shift & on[index].mask;
        i32 left = index == blocked ? (i32)own : of->skip[own], taken = of->take[own];
        if (taken < 0)
            continue;
        u64 product = weight;
        if (of->skip_weight) {
            if (index != blocked)
                product /= of->skip_weight[own];
            product = times(a, product, of->take_weight[own]);
        }
        at->to[moves] = add(a, after, stay + ((u64)(taken - (i64)left) << on[index].shift), need - 1);
        at->weight[moves] = product;
        at->holder[moves++] = (u8)on[index].holder;
    }
    at->takes[node + 1] = moves;
}

/* Sort the next level's nodes by need, and send the moves of this one there. */
static void settle(arena *a, half_level *at, const nodes *after, half_level *next, u64 **keys)
{
    i32 *place = NEW(a, i32, after->count + 1);
    int by_need[ELEMENTS + 2] = {0}, sum = 0;
    for (int node = 0; node < after->count; node++)
        by_need[after->need[node]]++;
    for (int need = 0; need <= ELEMENTS; need++) {
        next->start[need] = sum;
        sum += by_need[need];
        by_need[need] = next->start[need];
    }
    next->start[ELEMENTS + 1] = sum;
    next->nodes = after->count;
    next->need = NEW(a, u8, after->count + 1);
    *keys = NEW(a, u64, after->count + 1);
    for (int node = 0; node < after->count; node++) {
        place[node] = by_need[after->need[node]]++;
        next->need[place[node]] = after->need[node];
        (*keys)[place[node]] = after->key[node];
    }
    for (int node = 0; node < at->nodes; node++)
        if (at->skip[node] >= 0)
            at->skip[node] = place[at->skip[node]];
    for (i32 move = 0; move < at->takes[at->nodes]; move++)
        at->to[move] = place[at->to[move]];
}

static u64 all_free(automaton *const *of, int count)
{
    u64 free = 0;
    for (int index = 0; index < count; index++)
        free |= of[index]->free;
    return free;
}

static int all_need(automaton *const *of, int count)
{
    int need = 0;
    for (int index = 0; index < count; index++)
        need += of[index]->need;
    return need;
}

half build_half(arena *a, automaton *const *mine, int count, automaton *const *others, int other_count,
                const int *order, int length)
{
    half built = {NEW(a, half_level, length + 1)};
    u64 free = all_free(mine, count), other_free = all_free(others, other_count), future = 0;
    int need = all_need(mine, count), other_need = all_need(others, other_count), total = 0;
    int shifts[HOLDERS], shift = 0;
    for (int index = 0; index < count; index++) {
        shifts[index] = shift;
        shift += mine[index]->width > 1 ? 32 - __builtin_clz((u32)mine[index]->width - 1) : 0;
    }
    if (shift > 63)
        fail(a, ELSEWHERE);
    for (int place = 0; place < length; place++)
        future |= (u64)1 << order[place];
    nodes first;
    start(a, &first, 1);
    add(a, &first, 0, need);
    half_level before = {0};
    before.takes = NEW_CLEARED(a, i32, 1);
    u64 *keys;
    settle(a, &before, &first, &built.level[0], &keys);
    for (int place = 0; place < length; place++) {
        half_level *at = &built.level[place];
        active on[HOLDERS];
        int actives = 0, left = length - place - 1;
        u64 bit = (u64)1 << order[place];
        future &= ~bit;
        for (int index = 0; index < count; index++)
            if (mine[index]->free & bit) {
                int bits = mine[index]->width > 1 ? 32 - __builtin_clz((u32)mine[index]->width - 1) : 0;
                on[actives++] = (active){shifts[index], mine[index]->holder, ((u64)1 << bits) - 1,
                                         &mine[index]->by_element[order[place]]};
            }
        limits l = {larger(0, left - smaller(other_need, ones(future & other_free))),
                    smaller(need, ones(future & free)), (other_free & bit) != 0};
        at->skip = NEW(a, i32, at->nodes + 1);
        at->skip_weight = NEW(a, u64, at->nodes + 1);
        at->takes = NEW(a, i32, at->nodes + 2);
        at->to = NEW(a, i32, at->nodes * actives + 1);
        at->weight = NEW(a, u64, at->nodes * actives + 1);
        at->holder = NEW(a, u8, at->nodes * actives + 1);
        at->takes[0] = 0;
        nodes after;
        start(a, &after, 32);
        for (int node = 0; node < at->nodes; node++)
            step(a, at, node, keys[node], on, actives, l, &after);
        settle(a, at, &after, &built.level[place + 1], &keys);
        total += after.count;
        if (total > HALF_NODES)
            fail(a, ELSEWHERE);
    }
    return built;
}
