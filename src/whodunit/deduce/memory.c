/* Memory in blocks that are given back all at once. */
#include "kernel.h"

enum { FIRST = 1 << 20, KEPT = 1 << 24 };

static _Thread_local arena kept;

static void add_block(arena *a, size_t bytes)
{
    size_t size = bytes > FIRST ? bytes : FIRST;
    block *new = malloc(sizeof(block) + size);
    if (!new)
        fail(a, ELSEWHERE);
    new->size = size;
    new->used = 0;
    new->next = a->blocks;
    a->blocks = new;
}

void *get(arena *a, size_t bytes)
{
    bytes = (bytes + 15) & ~(size_t)15;
    if (!a->blocks || a->blocks->used + bytes > a->blocks->size)
        add_block(a, bytes);
    void *found = (char *)(a->blocks + 1) + a->blocks->used;
    a->blocks->used += bytes;
    return found;
}

void *get_cleared(arena *a, size_t bytes) { return memset(get(a, bytes), 0, bytes); }

void fail(arena *a, int why) { longjmp(a->out, why); }

arena *opened(void)
{
    if (kept.blocks)
        kept.blocks->used = 0;
    return &kept;
}

void closed(arena *a)
{
    /* What did not fit into one block gets a larger one next time, up to a limit. */
    size_t all = 0;
    int count = 0;
    for (block *each = a->blocks; each; each = each->next, count++)
        all += each->size;
    if (count <= 1 && all <= KEPT)
        return;
    while (a->blocks) {
        block *next = a->blocks->next;
        free(a->blocks);
        a->blocks = next;
    }
    if (all <= KEPT && (a->blocks = malloc(sizeof(block) + all))) {
        a->blocks->size = all;
        a->blocks->used = 0;
        a->blocks->next = NULL;
    }
}
