/** The words of the cards, as the server sends them; only their pictures live here. */
import type { Component } from 'svelte'
import type { Room, Suspect, Weapon } from '../types'
import { ROOMS } from './grid'
import Ballroom from './emblems/Ballroom.svelte'
import BilliardRoom from './emblems/BilliardRoom.svelte'
import Candlestick from './emblems/Candlestick.svelte'
import Conservatory from './emblems/Conservatory.svelte'
import DiningRoom from './emblems/DiningRoom.svelte'
import Green from './emblems/Green.svelte'
import Hall from './emblems/Hall.svelte'
import Kitchen from './emblems/Kitchen.svelte'
import Knife from './emblems/Knife.svelte'
import LeadPipe from './emblems/LeadPipe.svelte'
import Library from './emblems/Library.svelte'
import Lounge from './emblems/Lounge.svelte'
import Mustard from './emblems/Mustard.svelte'
import Peacock from './emblems/Peacock.svelte'
import Plum from './emblems/Plum.svelte'
import Revolver from './emblems/Revolver.svelte'
import Rope from './emblems/Rope.svelte'
import Scarlet from './emblems/Scarlet.svelte'
import Study from './emblems/Study.svelte'
import White from './emblems/White.svelte'
import Wrench from './emblems/Wrench.svelte'

export type { Suspect, Weapon }
export type CardWord = Suspect | Weapon | Room

/** In the order of the six identities of lib/seats.ts. */
export const SUSPECTS: readonly Suspect[] = ['Scarlet', 'Mustard', 'White', 'Green', 'Peacock', 'Plum']
export const WEAPONS: readonly Weapon[] = ['Rope', 'LeadPipe', 'Knife', 'Wrench', 'Candlestick', 'Revolver']
export const CARDS: readonly CardWord[] = [...SUSPECTS, ...WEAPONS, ...ROOMS]

export const PICTURES: Readonly<Record<CardWord, Component>> = {
  Scarlet,
  Mustard,
  White,
  Green,
  Peacock,
  Plum,
  Rope,
  LeadPipe,
  Knife,
  Wrench,
  Candlestick,
  Revolver,
  Study,
  Hall,
  Lounge,
  Library,
  BilliardRoom,
  DiningRoom,
  Conservatory,
  Ballroom,
  Kitchen,
}

export const isCard = (word: string): word is CardWord => word in PICTURES
