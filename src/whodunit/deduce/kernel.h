/* What the parts of the kernel share: numbers, memory, and a position on its way from evidence to machines. */
#ifndef WHODUNIT_KERNEL_H
#define WHODUNIT_KERNEL_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int32_t i32;
typedef int64_t i64;
typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef unsigned __int128 u128;

enum { COUNTED = 0, TOO_WIDE = 1, ELSEWHERE = 2 }; /* ELSEWHERE: too large for these numbers; Python's have no limit */

enum {
    ELEMENTS = 62,         /* a need and every count fit into six bits */
    HOLDERS = 32,
    JOINT = 1 << 12,       /* as in worlds.py */
    CELLS = 1 << 22,       /* of all layers together */
    HALF_NODES = 1 << 19,  /* of one half, all levels together */
};

#define DEAD (-1)

/* Memory of one call, kept for the next one of the same thread as long as it is not large. */

typedef struct block {
    _Alignas(16) struct block *next; /* so what follows is aligned for the widest numbers */
    size_t size, used;
} block;

typedef struct {
    block *blocks;
    jmp_buf out;
} arena;

void *get(arena *a, size_t bytes); /* not cleared */
void *get_cleared(arena *a, size_t bytes);
_Noreturn void fail(arena *a, int why);
arena *opened(void);
void closed(arena *a);

#define NEW(a, type, number) ((type *)get((a), sizeof(type) * (size_t)(number)))
#define NEW_CLEARED(a, type, number) ((type *)get_cleared((a), sizeof(type) * (size_t)(number)))

static inline int ones(u64 mask) { return __builtin_popcountll(mask); }
static inline int lowest(u64 mask) { return __builtin_ctzll(mask); }
static inline int smaller(int a, int b) { return a < b ? a : b; }
static inline int larger(int a, int b) { return a > b ? a : b; }

static inline u64 times(arena *a, u64 x, u64 y)
{
    u64 product;
    if (__builtin_mul_overflow(x, y, &product))
        fail(a, ELSEWHERE);
    return product;
}

/* Evidence on one holder: weight on[n] for n elements of the mask; with a given bit, off[n] where that is not held. */
typedef struct {
    u64 mask, given;
    const u64 *on, *off;
} atom;

/* One holder who still has elements to get. */
typedef struct {
    int holder, need, atoms;
    u64 free;
    atom *atom;
    i64 hands; /* number of hands listed, or -1 */
    const u64 *hand; /* mask, weight, mask, weight, ... */
} part;

typedef struct {
    int elements, holders;
    i64 states; /* more are not counted */
    int capacity[HOLDERS];
    u64 allowed[HOLDERS], required[HOLDERS];
    int parts;
    part part[HOLDERS];
    u64 factor;
    int length; /* of the order */
    int order[ELEMENTS];
} position;

/* One step of a holder's machine: by node, where leaving and taking the element lead, and what they multiply. */
typedef struct {
    int nodes;
    i32 *skip, *take;
    u64 *skip_weight, *take_weight; /* both null where all weights are 1 */
} level;

typedef struct {
    int holder, need, width;
    u64 free, factor;
    level by_element[ELEMENTS]; /* nodes is 0 where the holder cannot have the element */
} automaton;

/* What one half of the holders can do, level by level; nodes are sorted by need. */
typedef struct {
    int nodes;
    u8 *need;
    i32 start[ELEMENTS + 2]; /* by need: the first node of it; one more at the end */
    i32 *skip, *takes; /* takes: where a node's begin; one more at the end */
    u64 *skip_weight;
    i32 *to;
    u64 *weight;
    u8 *holder;
} half_level;

typedef struct {
    half_level *level; /* one more than there are elements in the order */
} half;

int read_position(arena *a, const u64 *problem, position *p); /* 0 if no world fits */
void find_order(const position *p, int *order);
int build_automaton(arena *a, const part *of, const int *order, int length, automaton *into); /* 0 if no hand fits */
half build_half(arena *a, automaton *const *mine, int count, automaton *const *others, int other_count,
                const int *order, int length);
u128 bound_of(arena *a, const position *p);

#endif
