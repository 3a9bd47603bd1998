#!/usr/bin/env python3
"""Checks Perfetto traces with the decoder that Perfetto itself publishes.

Usage: check_trace.py TRACE...

Fusee writes its traces by hand, so somebody else has to read them. This decodes
each file with the `perfetto` package's protobuf classes (no trace processor,
nothing to download) and then holds what it finds against the rules that the
viewer relies on: known tracks, names that were interned before their use,
times that do not run backwards, slices that nest and end, counters with values,
flows that join at least two slices.
"""

import sys
from collections import Counter, defaultdict

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

FRESH, NEEDS_NAMES = 1, 2


class Checker:
    """The state of one trusted sequence while its packets go by."""

    def __init__(self):
        self.tracks = {}
        self.names = {}
        self.open = defaultdict(list)
        self.flows = Counter()
        self.kinds = Counter()
        self.latest = 0
        self.errors = []

    def packet(self, number, packet):
        """Takes the next packet."""
        if packet.sequence_flags & FRESH:
            self.names.clear()
        if packet.HasField("track_descriptor"):
            self.descriptor(number, packet.track_descriptor)
        for name in packet.interned_data.event_names:
            self.names[name.iid] = name.name
        if packet.HasField("track_event"):
            self.event(number, packet)

    def descriptor(self, number, track):
        """A track must be new, and its parent known."""
        if track.uuid in self.tracks:
            self.error(number, f"track {track.uuid} is described twice")
        if track.parent_uuid and track.parent_uuid not in self.tracks:
            self.error(number, f"track {track.uuid} has an unknown parent {track.parent_uuid}")
        self.tracks[track.uuid] = track

    def event(self, number, packet):
        """An event must fit its track and what came before it there."""
        event, now = packet.track_event, packet.timestamp
        self.kinds[TrackEvent.Type.Name(event.type)] += 1
        if now < self.latest:
            self.error(number, f"time runs back from {self.latest} to {now}")
        self.latest = now
        track = self.tracks.get(event.track_uuid)
        if track is None:
            self.error(number, f"unknown track {event.track_uuid}")
            return
        if event.type in (TrackEvent.TYPE_SLICE_BEGIN, TrackEvent.TYPE_INSTANT):
            self.named(number, packet)
        if event.type == TrackEvent.TYPE_SLICE_BEGIN:
            self.open[event.track_uuid].append(now)
        elif event.type == TrackEvent.TYPE_SLICE_END:
            if not self.open[event.track_uuid]:
                self.error(number, f"nothing to end on `{track.name}`")
            else:
                self.open[event.track_uuid].pop()
        elif event.type == TrackEvent.TYPE_COUNTER:
            if not track.HasField("counter") or not event.HasField("counter_value"):
                self.error(number, f"`{track.name}` counts without a counter or a value")
        self.flows.update(event.flow_ids)

    def named(self, number, packet):
        """A name must be known."""
        if not packet.sequence_flags & NEEDS_NAMES:
            self.error(number, "uses interned names without saying so")
        if packet.track_event.name_iid not in self.names:
            self.error(number, f"name {packet.track_event.name_iid} was never interned")

    def finish(self):
        """What can only be said at the end."""
        for uuid, slices in self.open.items():
            if slices:
                self.error("end", f"{len(slices)} slices of `{self.tracks[uuid].name}` never end")
        for needed in ("TYPE_SLICE_BEGIN", "TYPE_SLICE_END", "TYPE_INSTANT"):
            if not self.kinds[needed]:
                self.error("end", f"no {needed} in the whole trace")
        if not any(count > 1 for count in self.flows.values()):
            self.error("end", "no flow joins two slices")

    def error(self, where, text):
        """Notes what is wrong."""
        self.errors.append(f"packet {where}: {text}")


def check(path):
    """Checks one file; returns what is wrong with it."""
    with open(path, "rb") as file:
        data = file.read()
    trace = Trace()
    trace.ParseFromString(data)
    checker = Checker()
    sequences = {packet.trusted_packet_sequence_id for packet in trace.packet}
    if len(sequences) != 1 or 0 in sequences:
        checker.error("all", f"expected one trusted sequence, found {sorted(sequences)}")
    for number, packet in enumerate(trace.packet):
        if len(UnknownFieldSet(packet)):
            checker.error(number, "has fields that Perfetto does not know")
        checker.packet(number, packet)
    checker.finish()
    kinds = ", ".join(f"{count} {kind[5:].lower()}" for kind, count in sorted(checker.kinds.items()))
    print(f"{path}: {len(trace.packet)} packets, {len(checker.tracks)} tracks, {kinds}, {len(checker.flows)} flows")
    return checker.errors


def main(paths):
    """Checks all files."""
    if not paths:
        print(__doc__, file=sys.stderr)
        return 2
    failed = False
    for path in paths:
        for error in check(path)[:20]:
            print(f"{path}: {error}", file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
