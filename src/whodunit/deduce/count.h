/* The count itself, as in frontier.py and worlds.py, for numbers of type NUM; included once for each type.

   A layer is a table of cells: a row for every node of the first half, in it a cell for every node of the second
   half that needs what the first leaves. */

typedef struct {
    NUM **layer;     /* by level, the cells */
    i64 **row;       /* by level and node of the first half: where its cells begin */
    i64 cells;
} NAME(table);

static NAME(table) NAME(new_table)(arena *a, const half *one, const half *other, int length)
{
    NAME(table) t = {NEW(a, NUM *, length + 1), NEW(a, i64 *, length + 1), 0};
    for (int place = 0; place <= length; place++) {
        const half_level *first = &one->level[place], *second = &other->level[place];
        i64 cells = 0;
        t.row[place] = NEW(a, i64, first->nodes + 1);
        for (int node = 0; node < first->nodes; node++) {
            int need = length - place - first->need[node];
            t.row[place][node] = cells;
            if (need >= 0)
                cells += second->start[need + 1] - second->start[need];
        }
        t.cells += cells;
        if (t.cells > CELLS)
            fail(a, ELSEWHERE);
        t.layer[place] = NEW_CLEARED(a, NUM, cells + 1);
    }
    return t;
}

/* Where the cells of the second half's nodes lie in a row, by node. */
static i32 *NAME(places)(arena *a, const half_level *second)
{
    i32 *found = NEW(a, i32, second->nodes + 1);
    for (int node = 0; node < second->nodes; node++)
        found[node] = node - second->start[second->need[node]];
    return found;
}

/* Fill the layers from the front with the weight of the ways to every state. */
static void NAME(forward)(arena *a, const half *one, const half *other, const position *p, const NAME(table) *t)
{
    int length = p->length;
    i64 states = 1;
    t->layer[0][0] = 1;
    for (int place = 0; place < length; place++) {
        const half_level *first = &one->level[place], *second = &other->level[place];
        const i32 *at = NAME(places)(a, &other->level[place + 1]);
        const i64 *row = t->row[place + 1];
        NUM *next = t->layer[place + 1];
        i64 reached = 0;
        for (int node = 0; node < first->nodes; node++) {
            int need = length - place - first->need[node];
            if (need < 0)
                continue;
            i32 from = second->start[need], end = second->start[need + 1];
            const NUM *cell = t->layer[place] + t->row[place][node] - from;
            for (i32 move = first->takes[node]; move < first->takes[node + 1]; move++) {
                NUM *target = next + row[first->to[move]];
                u64 weight = first->weight[move];
                for (i32 column = from; column < end; column++)
                    if (cell[column] && second->skip[column] >= 0)
                        target[at[second->skip[column]]] += cell[column] * weight * second->skip_weight[column];
            }
            for (i32 column = from; column < end; column++)
                reached += cell[column] != 0;
            if (first->skip[node] < 0)
                continue;
            NUM *target = next + row[first->skip[node]];
            u64 weight = first->skip_weight[node];
            for (i32 column = from; column < end; column++)
                if (cell[column])
                    for (i32 move = second->takes[column]; move < second->takes[column + 1]; move++)
                        target[at[second->to[move]]] += cell[column] * weight * second->weight[move];
        }
        states += place ? reached : 0;
        if (states > p->states)
            fail(a, TOO_WIDE);
    }
    for (int node = 0; node < one->level[length].nodes; node++)
        states += t->layer[length][node] != 0;
    if (length && states > p->states)
        fail(a, TOO_WIDE);
}

/* Fill the layers of `ways` from the back with the weight of the ways on from every state; with the ways to them,
   add up the masses, by element and holder. */
static void NAME(backward)(arena *a, const half *one, const half *other, const position *p, const NAME(table) *t,
                           const NAME(table) *ways, NUM *masses)
{
    int length = p->length;
    ways->layer[length][0] = 1;
    for (int place = length - 1; place >= 0; place--) {
        const half_level *first = &one->level[place], *second = &other->level[place];
        const i32 *at = NAME(places)(a, &other->level[place + 1]);
        const i64 *row = t->row[place + 1];
        const NUM *next = ways->layer[place + 1];
        NUM mass[HOLDERS] = {0};
        for (int node = 0; node < first->nodes; node++) {
            int need = length - place - first->need[node];
            if (need < 0)
                continue;
            i32 from = second->start[need], end = second->start[need + 1];
            const NUM *cell = t->layer[place] + t->row[place][node] - from;
            NUM *into = ways->layer[place] + t->row[place][node] - from;
            for (i32 move = first->takes[node]; move < first->takes[node + 1]; move++) {
                const NUM *target = next + row[first->to[move]];
                NUM gained = 0;
                u64 weight = first->weight[move];
                for (i32 column = from; column < end; column++)
                    if (cell[column] && second->skip[column] >= 0) {
                        NUM on = target[at[second->skip[column]]] * weight * second->skip_weight[column];
                        gained += cell[column] * on;
                        into[column] += on;
                    }
                mass[first->holder[move]] += gained;
            }
            if (first->skip[node] < 0)
                continue;
            const NUM *target = next + row[first->skip[node]];
            u64 weight = first->skip_weight[node];
            for (i32 column = from; column < end; column++)
                if (cell[column])
                    for (i32 move = second->takes[column]; move < second->takes[column + 1]; move++) {
                        NUM on = target[at[second->to[move]]] * weight * second->weight[move];
                        mass[second->holder[move]] += cell[column] * on;
                        into[column] += on;
                    }
        }
        if (masses)
            for (int k = 0; k < p->holders; k++)
                masses[p->order[place] * p->holders + k] = mass[k];
    }
}

static void NAME(write)(u64 *out, NUM number)
{
    out[0] = (u64)number;
    out[1] = sizeof(NUM) > 8 ? (u64)((u128)number >> 64) : 0;
}

static void NAME(solve)(arena *a, const position *p, const half *one, const half *other, u64 *out)
{
    NAME(table) t = NAME(new_table)(a, one, other, p->length), ways = NAME(new_table)(a, one, other, p->length);
    NUM *masses = NEW_CLEARED(a, NUM, p->elements * p->holders + 1);
    NAME(forward)(a, one, other, p, &t);
    NAME(backward)(a, one, other, p, &t, &ways, masses);
    NUM total = ways.layer[0][0] * (NUM)p->factor;
    for (int k = 0; k < p->holders; k++)
        for (u64 rest = p->required[k]; rest; rest &= rest - 1)
            NAME(write)(out + 2 + 2 * (lowest(rest) * p->holders + k), total);
    for (int place = 0; place < p->length; place++)
        for (int k = 0; k < p->holders; k++) {
            int index = p->order[place] * p->holders + k;
            NAME(write)(out + 2 + 2 * index, masses[index] * (NUM)p->factor);
        }
    NAME(write)(out, total);
}

static int NAME(possible)(arena *a, const position *p, const half *one, const half *other)
{
    NAME(table) t = NAME(new_table)(a, one, other, p->length);
    NAME(forward)(a, one, other, p, &t);
    return t.layer[p->length][0] != 0;
}

static void NAME(world)(const position *p, const half *one, const half *other, const NAME(table) *ways,
                        i32 *const *at, NUM rank, u64 *hands)
{
    NUM weight = p->factor;
    i32 node = 0, column = 0;
    memcpy(hands, p->required, sizeof(u64) * (size_t)p->holders);
    for (int place = 0; place < p->length; place++) {
        const half_level *first = &one->level[place], *second = &other->level[place];
        const NUM *next = ways->layer[place + 1];
        const i64 *row = ways->row[place + 1];
        i32 stay = first->skip[node], keep = second->skip[column];
        i32 mine = first->takes[node], mine_end = keep < 0 ? mine : first->takes[node + 1];
        i32 yours = second->takes[column], yours_end = stay < 0 ? yours : second->takes[column + 1];
        for (;;) {
            int by_me = yours == yours_end || (mine < mine_end && first->holder[mine] < second->holder[yours]);
            i32 to = by_me ? first->to[mine] : stay, across = by_me ? keep : second->to[yours];
            NUM factor = by_me ? (NUM)first->weight[mine] * second->skip_weight[column]
                               : (NUM)second->weight[yours] * first->skip_weight[node];
            NUM mass = weight * factor * next[row[to] + at[place + 1][across]];
            if (rank < mass) {
                hands[by_me ? first->holder[mine] : second->holder[yours]] |= (u64)1 << p->order[place];
                weight *= factor;
                node = to;
                column = across;
                break;
            }
            rank -= mass;
            if (by_me)
                mine++;
            else
                yours++;
        }
    }
}

static void NAME(worlds)(arena *a, const position *p, const half *one, const half *other, const u64 *ranks, i64 count,
                         u64 *out)
{
    NAME(table) t = NAME(new_table)(a, one, other, p->length), ways = NAME(new_table)(a, one, other, p->length);
    i32 **at = NEW(a, i32 *, p->length + 1);
    for (int place = 0; place <= p->length; place++)
        at[place] = NAME(places)(a, &other->level[place]);
    NAME(forward)(a, one, other, p, &t);
    NAME(backward)(a, one, other, p, &t, &ways, NULL);
    for (i64 index = 0; index < count; index++) {
        NUM rank = (NUM)(ranks[2 * index] | (u128)ranks[2 * index + 1] << 64);
        NAME(world)(p, one, other, &ways, at, rank, out + index * p->holders);
    }
}
