/* Evidence read and drawn tight, as in reduce.py; the order of the elements, as in order.py. */
#include "kernel.h"

static int any(const u64 *table, int low, int high)
{
    for (int number = low; number <= high; number++)
        if (table[number])
            return 1;
    return 0;
}

static int tighten(int capacity, u64 *allowed, u64 *required, const atom *atoms, int count)
{
    u64 may = *allowed, must = *required;
    for (;;) {
        u64 free = may & ~must;
        int size = ones(free), need = capacity - ones(must);
        if (must & ~may || need < 0 || need > size)
            return 0;
        if (free && need == 0) {
            may = must;
            free = 0;
            size = 0;
        } else if (free && need == size) {
            must = may;
            free = 0;
            size = need = 0;
        }
        u64 may_before = may, must_before = must;
        for (const atom *each = atoms; each < atoms + count; each++) {
            u64 fresh_mask = each->mask & free;
            int fresh = ones(fresh_mask), held = ones(each->mask & must_before);
            int low = held + larger(0, need - size + fresh), high = held + smaller(fresh, need);
            int with = 1, without = 0; /* which table counts */
            if (each->given) {
                if (!(each->given & must) && !any(each->off, low, high))
                    must |= each->given;
                else if (each->given & may && !any(each->on, low, high))
                    may &= ~each->given;
                if (each->given & free & may & ~must)
                    without = 1;
                else if (!(each->given & must)) {
                    with = 0;
                    without = 1;
                }
                if (must & ~may)
                    return 0;
            }
#define FITS(n) ((with && each->on[n]) || (without && each->off[n]))
            while (low <= high && !FITS(low))
                low++;
            if (low > high)
                return 0;
            while (!FITS(high))
                high--;
#undef FITS
            if (fresh_mask && low == held + fresh)
                must |= fresh_mask;
            else if (fresh_mask && high == held)
                may &= ~fresh_mask;
            if (low - held == need)
                may &= fresh_mask | ~free;
            else if (high - held == need - size + fresh)
                must |= free & ~fresh_mask;
        }
        if (may == may_before && must == must_before) {
            *allowed = may;
            *required = must;
            return 1;
        }
    }
}

static int propagate(position *p, atom *const *atoms, const int *counts)
{
    u64 everything = p->elements ? ~(u64)0 >> (64 - p->elements) : 0, taken = 0;
    for (int k = 0; k < p->holders; k++) {
        if (taken & p->required[k])
            return 0;
        taken |= p->required[k];
    }
    for (int k = 0; k < p->holders; k++)
        p->allowed[k] &= ~taken | p->required[k];
    u64 dirty = ((u64)1 << p->holders) - 1;
    while (dirty) {
        while (dirty) {
            int k = lowest(dirty);
            dirty &= dirty - 1;
            u64 before = p->required[k];
            if (!tighten(p->capacity[k], &p->allowed[k], &p->required[k], atoms[k], counts[k]))
                return 0;
            u64 gained = p->required[k] & ~before;
            for (int other = 0; gained && other < p->holders; other++)
                if (other != k && p->allowed[other] & gained) {
                    p->allowed[other] &= ~gained;
                    dirty |= (u64)1 << other;
                }
        }
        u64 once = 0, twice = 0;
        for (int k = 0; k < p->holders; k++) {
            twice |= once & p->allowed[k];
            once |= p->allowed[k];
        }
        if (once != everything)
            return 0;
        for (int k = 0; k < p->holders; k++) {
            u64 gained = p->allowed[k] & ~twice & ~p->required[k];
            if (gained) {
                p->required[k] |= gained;
                dirty |= (u64)1 << k;
            }
        }
    }
    return 1;
}

static int is_clause(const atom *each, int need)
{
    if (each->given || each->on[0])
        return 0;
    int high = smaller(need, ones(each->mask));
    for (int number = 2; number <= high; number++)
        if (each->on[number] != each->on[1])
            return 0;
    return 1;
}

static u64 *cut(arena *a, const u64 *table, int held, int fresh, int low, int high)
{
    u64 *new = NEW(a, u64, fresh + 1);
    for (int number = 0; number <= fresh; number++)
        new[number] = low <= number && number <= high ? table[held + number] : 0;
    return new;
}

static int same(const u64 *one, const u64 *other, int length)
{
    return !memcmp(one, other, sizeof(u64) * (size_t)length);
}

static void join(arena *a, part *into, atom new)
{
    for (atom *each = into->atom; each < into->atom + into->atoms; each++)
        if (each->mask == new.mask && each->given == new.given) {
            for (int number = 0; number <= ones(new.mask); number++) {
                ((u64 *)new.on)[number] = times(a, new.on[number], each->on[number]);
                if (new.given)
                    ((u64 *)new.off)[number] = times(a, new.off[number], each->off[number]);
            }
            *each = new;
            return;
        }
    into->atom[into->atoms++] = new;
}

static void drop_implied(arena *a, part *of, u64 *factor)
{
    u64 *clauses = NEW(a, u64, of->atoms + 1);
    int count = 0, left = 0;
    for (int index = 0; index < of->atoms; index++)
        if (is_clause(&of->atom[index], of->need))
            clauses[count++] = of->atom[index].mask;
    for (int index = 0; index < of->atoms; index++) {
        atom each = of->atom[index];
        if (is_clause(&each, of->need)) {
            *factor = times(a, *factor, each.on[1]);
            int implied = 0;
            for (int other = 0; other < count; other++)
                implied |= (each.mask & clauses[other]) == clauses[other] && clauses[other] != each.mask;
            if (implied)
                continue;
            u64 *even = NEW(a, u64, ones(each.mask) + 1);
            for (int number = 0; number <= ones(each.mask); number++)
                even[number] = number > 0;
            each.on = even;
        }
        of->atom[left++] = each;
    }
    of->atoms = left;
}

static void find_rest(arena *a, const position *p, int holder, const atom *atoms, int count, part *into, u64 *factor)
{
    u64 may = p->allowed[holder], must = p->required[holder], free = may & ~must;
    int size = ones(free), need = p->capacity[holder] - ones(must);
    into->holder = holder;
    into->need = need;
    into->free = free;
    into->atoms = 0;
    into->atom = NEW(a, atom, count + 1);
    for (const atom *each = atoms; each < atoms + count; each++) {
        u64 mask = each->mask & free, given = each->given & free;
        int fresh = ones(mask), held = ones(each->mask & must);
        int low = larger(0, need - size + fresh), high = smaller(fresh, need);
        const u64 *table = each->given && !given && !(each->given & must) ? each->off : each->on;
        u64 *on = cut(a, table, held, fresh, low, high), *off = NULL;
        if (given) {
            off = cut(a, each->off, held, fresh, low, high);
            if (same(on, off, fresh + 1))
                given = 0;
        }
        if (!given) {
            int constant = 1;
            for (int number = low + 1; number <= high; number++)
                constant &= on[number] == on[low];
            if (constant) {
                *factor = times(a, *factor, on[low]);
                continue;
            }
        }
        join(a, into, (atom){mask, given, on, given ? off : NULL});
    }
    drop_implied(a, into, factor);
}

/* The problem: elements, holders, most states; by holder capacity, allowed, required, number of atoms, number of hands or -1;
   then by holder its atoms (mask, given, on ..., off ... if given) and its hands (mask, weight). */
int read_position(arena *a, const u64 *problem, position *p)
{
    const u64 *word = problem;
    p->elements = (int)*word++;
    p->holders = (int)*word++;
    p->states = (i64)*word++;
    p->parts = p->length = 0;
    p->factor = 1;
    atom *atoms[HOLDERS];
    int counts[HOLDERS];
    i64 hands[HOLDERS];
    const u64 *listed[HOLDERS];
    for (int k = 0; k < p->holders; k++) {
        p->capacity[k] = (int)*word++;
        p->allowed[k] = *word++;
        p->required[k] = *word++;
        counts[k] = (int)*word++;
        hands[k] = (i64)*word++;
    }
    for (int k = 0; k < p->holders; k++) {
        atoms[k] = NEW(a, atom, counts[k] + 1);
        for (int index = 0; index < counts[k]; index++) {
            atom *each = &atoms[k][index];
            each->mask = *word++;
            each->given = *word++;
            int size = ones(each->mask) + 1;
            each->on = word;
            word += size;
            each->off = word;
            if (each->given)
                word += size;
        }
        listed[k] = word;
        if (hands[k] > 0)
            word += 2 * hands[k];
    }
    if (!propagate(p, atoms, counts))
        return 0;
    for (int k = 0; k < p->holders; k++) {
        part *new = &p->part[p->parts];
        find_rest(a, p, k, atoms[k], counts[k], new, &p->factor);
        new->hands = hands[k];
        new->hand = listed[k];
        if (!hands[k])
            return 0;
        if (new->need)
            p->parts++;
        else if (hands[k] > 0)
            p->factor = times(a, p->factor, listed[k][1]);
    }
    if (!p->factor)
        return 0;
    find_order(p, p->order);
    for (int k = 0; k < p->parts; k++)
        p->length += p->part[k].need;
    return 1;
}

/* 64 times the logarithm to base 2, rounded down: LOG in order.py. */
static const int LOG[] = {
    0,   0,   64,  101, 128, 148, 165, 179, 192, 202, 212, 221, 229, 236, 243, 250, 256, 261, 266, 271, 276, 281,
    285, 289, 293, 297, 300, 304, 307, 310, 314, 317, 320, 322, 325, 328, 330, 333, 335, 338, 340, 342, 345, 347,
    349, 351, 353, 355, 357, 359, 361, 363, 364, 366, 368, 370, 371, 373, 374, 376, 378, 379, 381, 382, 384, 385,
};
enum { NEAR = 10920, EXACT = 840 };

typedef struct {
    u64 mask;
    int most, past, future, width; /* most: of a part the need, of an atom the highest number that matters */
} record;

static int part_width(const record *r)
{
    int most = smaller(r->most, r->future - 1), least = larger(0, r->most - r->past - 1);
    return LOG[most - least + 1];
}

static int atom_width(const record *r) { return r->future > 1 ? LOG[smaller(r->past + 1, r->most) + 1] >> 1 : 0; }

enum { RECORDS = 512 };

void find_order(const position *p, int *order)
{
    record parts[HOLDERS], atoms[RECORDS];
    int part_count = 0, atom_count = 0, length = 0;
    u64 rest = 0, first = 0;
    for (const part *each = p->part; each < p->part + p->parts; each++) {
        rest |= each->free;
        parts[part_count++] = (record){each->free, each->need, 0, ones(each->free), 0};
        for (const atom *of = each->atom; of < each->atom + each->atoms && atom_count < RECORDS; of++) {
            int most = ones(of->mask);
            if (!of->given)
                while (most && of->on[most - 1] == of->on[most])
                    most--;
            first |= of->given;
            atoms[atom_count++] = (record){of->mask, smaller(each->need, most), 0, ones(of->mask), 0};
        }
    }
    while (rest) {
        int best = DEAD;
        i64 best_score = 0;
        u64 from = first & rest ? first & rest : rest;
        for (u64 left = from; left; left &= left - 1) {
            int element = lowest(left);
            i64 width = 0, near = 0;
            if (first & rest) {
                best = element;
                break;
            }
            for (record *r = parts; r < parts + part_count; r++)
                if (r->mask >> element & 1)
                    width += part_width(r) - r->width;
            for (record *r = atoms; r < atoms + atom_count; r++)
                if (r->mask >> element & 1) {
                    width += atom_width(r) - r->width;
                    if (r->future > 1)
                        near += NEAR / (r->future - 1);
                }
            i64 score = EXACT * width - near;
            if (best == DEAD || score < best_score) {
                best = element;
                best_score = score;
            }
        }
        for (record *r = parts; r < parts + part_count; r++)
            if (r->mask >> best & 1) {
                r->width = part_width(r);
                r->past++;
                r->future--;
            }
        for (record *r = atoms; r < atoms + atom_count; r++)
            if (r->mask >> best & 1) {
                r->width = atom_width(r);
                r->past++;
                r->future--;
            }
        rest &= ~((u64)1 << best);
        order[length++] = best;
    }
}

u128 bound_of(arena *a, const position *p)
{
    u128 bound = p->factor;
    int placed = 0;
#define MORE(by)                                               \
    do {                                                       \
        if (__builtin_mul_overflow(bound, (u128)(by), &bound)) \
            fail(a, ELSEWHERE);                                \
    } while (0)
    for (const part *each = p->part; each < p->part + p->parts; each++) {
        u128 ways = 1; /* stays whole: a product of i numbers in a row can be divided by i! */
        for (int number = 1; number <= each->need; number++) {
            placed++;
            if (__builtin_mul_overflow(ways, (u128)placed, &ways))
                fail(a, ELSEWHERE);
            ways /= (u128)number;
        }
        MORE(ways);
        u64 most = 1;
        if (each->hands >= 0) {
            for (i64 index = 0; index < each->hands; index++)
                if (each->hand[2 * index + 1] > most)
                    most = each->hand[2 * index + 1];
            MORE(most);
            continue;
        }
        for (const atom *of = each->atom; of < each->atom + each->atoms; of++) {
            most = 1;
            for (int number = 0; number <= ones(of->mask); number++) {
                if (of->on[number] > most)
                    most = of->on[number];
                if (of->given && of->off[number] > most)
                    most = of->off[number];
            }
            MORE(most);
        }
    }
#undef MORE
    return bound;
}
