/* One holder's hands one by one, for numbers of type NUM: rows over the nodes of all others, one for every way in
   which the holder can begin, and for every way in which it can end; both are led to a level in the middle. */

typedef struct {
    u64 hand;
    i32 node;
    NUM *row;
} NAME(way);

static const level *NAME(level_of)(const automaton *own, int element)
{
    return own->free >> element & 1 ? &own->by_element[element] : NULL;
}

/* The others take the element, or leave it: a row of this level becomes one of the next. */
static NUM *NAME(row_after)(arena *a, const half *rest, int place, int need, const NUM *row, int take, u64 weight)
{
    const half_level *at = &rest->level[place], *next = &rest->level[place + 1];
    i32 from = at->start[need], end = at->start[need + 1], base = next->start[need - take];
    NUM *new = NEW_CLEARED(a, NUM, next->start[need - take + 1] - base + 1);
    for (i32 column = from; column < end; column++) {
        NUM value = row[column - from] * weight;
        if (!value)
            continue;
        if (take)
            for (i32 move = at->takes[column]; move < at->takes[column + 1]; move++)
                new[at->to[move] - base] += value * at->weight[move];
        else if (at->skip[column] >= 0)
            new[at->skip[column] - base] += value * at->skip_weight[column];
    }
    return new;
}

static NUM *NAME(row_before)(arena *a, const half *rest, int place, int need, const NUM *row, int take, u64 weight)
{
    const half_level *at = &rest->level[place], *next = &rest->level[place + 1];
    i32 from = at->start[need], end = at->start[need + 1], base = next->start[need - take];
    NUM *new = NEW_CLEARED(a, NUM, end - from + 1);
    for (i32 column = from; column < end; column++) {
        NUM value = 0;
        if (take)
            for (i32 move = at->takes[column]; move < at->takes[column + 1]; move++)
                value += row[at->to[move] - base] * at->weight[move];
        else if (at->skip[column] >= 0)
            value = row[at->skip[column] - base] * at->skip_weight[column];
        new[column - from] = value * weight;
    }
    return new;
}

static int NAME(begin)(arena *a, const position *p, const automaton *own, const half *rest, int cut, NAME(way) *ways)
{
    int count = 1;
    NAME(way) *after = NEW(a, NAME(way), JOINT + 1);
    ways[0] = (NAME(way)){0, 0, NEW_CLEARED(a, NUM, 1)};
    ways[0].row[0] = 1;
    for (int place = 0; place < cut; place++) {
        const level *at = NAME(level_of)(own, p->order[place]);
        int found = 0;
        for (NAME(way) *each = ways; each < ways + count; each++) {
            int need = p->length - place - (own->need - ones(each->hand));
            if (need < 0)
                continue;
            i32 skip = at ? at->skip[each->node] : each->node, take = at ? at->take[each->node] : DEAD;
            u64 skip_weight = at && at->skip_weight ? at->skip_weight[each->node] : 1;
            if (skip >= 0 && need > 0)
                after[found++] = (NAME(way)){
                    each->hand, skip, NAME(row_after)(a, rest, place, need, each->row, 1, skip_weight)};
            if (take >= 0)
                after[found++] = (NAME(way)){
                    each->hand | (u64)1 << p->order[place], take,
                    NAME(row_after)(a, rest, place, need, each->row, 0, at->take_weight ? at->take_weight[each->node] : 1)};
        }
        count = found;
        memcpy(ways, after, sizeof(NAME(way)) * (size_t)count);
    }
    return count;
}

/* By node of the level, the ways to end from there: first[node] up to first[node + 1]. */
static NAME(way) *NAME(end)(arena *a, const position *p, const automaton *own, const half *rest, int cut, i32 **first)
{
    i32 *begins = NEW(a, i32, 2);
    NAME(way) *ways = NEW(a, NAME(way), 1);
    ways[0] = (NAME(way)){0, 0, NEW_CLEARED(a, NUM, 1)};
    ways[0].row[0] = 1;
    begins[0] = 0;
    begins[1] = 1;
    int nodes = 1;
    for (int place = p->length - 1; place >= cut; place--) {
        const level *at = NAME(level_of)(own, p->order[place]);
        int count = at ? at->nodes : nodes, found = 0, most = 0;
        for (int node = 0; node < count; node++) {
            i32 skip = at ? at->skip[node] : node, take = at ? at->take[node] : DEAD;
            most += (skip < 0 ? 0 : begins[skip + 1] - begins[skip]) + (take < 0 ? 0 : begins[take + 1] - begins[take]);
        }
        i32 *starts = NEW(a, i32, count + 1);
        NAME(way) *before = NEW(a, NAME(way), most + 1);
        for (int node = 0; node < count; node++) {
            starts[node] = found;
            for (int taking = 0; taking < 2; taking++) {
                i32 to = taking ? (at ? at->take[node] : DEAD) : at ? at->skip[node] : node;
                const u64 *weights = at ? taking ? at->take_weight : at->skip_weight : NULL;
                for (i32 index = to < 0 ? 0 : begins[to]; to >= 0 && index < begins[to + 1]; index++) {
                    const NAME(way) *each = &ways[index];
                    u64 hand = each->hand | (u64)taking << p->order[place];
                    int need = p->length - place - ones(hand);
                    if (need < 0 || need - !taking < 0)
                        continue;
                    before[found++] = (NAME(way)){
                        hand, node, NAME(row_before)(a, rest, place, need, each->row, !taking, weights ? weights[node] : 1)};
                }
            }
        }
        starts[count] = found;
        ways = before;
        begins = starts;
        nodes = count;
    }
    *first = begins;
    return ways;
}

static i64 NAME(joint)(arena *a, const position *p, const automaton *own, const half *rest, int cut, u64 *out)
{
    NAME(way) *starts = NEW(a, NAME(way), JOINT + 1);
    i32 *first;
    int count = NAME(begin)(a, p, own, rest, cut, starts);
    const NAME(way) *ends = NAME(end)(a, p, own, rest, cut, &first);
    i64 found = 0;
    for (const NAME(way) *each = starts; each < starts + count; each++) {
        int need = p->length - cut - (own->need - ones(each->hand));
        if (need < 0)
            continue;
        i32 cells = rest->level[cut].start[need + 1] - rest->level[cut].start[need];
        for (i32 index = first[each->node]; index < first[each->node + 1]; index++) {
            NUM mass = 0;
            for (i32 cell = 0; cell < cells; cell++)
                mass += each->row[cell] * ends[index].row[cell];
            if (!mass)
                continue;
            out[3 * found] = p->required[own->holder] | each->hand | ends[index].hand;
            NAME(write)(out + 3 * found + 1, mass * (NUM)p->factor);
            found++;
        }
    }
    return found;
}
