import { cleanup, fireEvent, render, screen } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import Button from './Button.svelte'

afterEach(cleanup)

test.each([{ busy: true }, { 'aria-disabled': true }])(
  'what waits or cannot be done (%o) is not pressed, and sends no form',
  async (state) => {
    const onclick = vi.fn()
    render(Button, { type: 'submit', onclick, ...state })
    const button = screen.getByRole<HTMLButtonElement>('button')

    expect(await fireEvent.click(button), 'was prevented').toBe(false)
    expect(onclick).not.toHaveBeenCalled()
    expect(button.disabled, 'would lose the focus').toBe(false)
  },
)

test('anything else is', async () => {
  const onclick = vi.fn()
  render(Button, { type: 'submit', onclick, 'aria-disabled': false })

  expect(await fireEvent.click(screen.getByRole('button'))).toBe(true)
  expect(onclick).toHaveBeenCalledOnce()
})
