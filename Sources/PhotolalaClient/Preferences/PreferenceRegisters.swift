import PhotoCatalog
import PhotolalaAPI

/// The last change of each preference. The larger Lamport timestamp wins, independent of any clock; without timestamps,
/// the order in which devices replace the profile decides.
struct PreferenceRegisters: Codable, Equatable, Sendable {
    var byName: [String: PreferenceRegister] = [:]

    init() {}

    init(from decoder: any Decoder) throws { byName = try [String: PreferenceRegister](from: decoder) }
    func encode(to encoder: any Encoder) throws { try byName.encode(to: encoder) }

    /// Reads the preferences of a profile.
    ///
    /// A preference without a timestamp, or with a different value under the known timestamp, was set by a client that
    /// does not merge: it counts as a change after everything seen. So does a removed preference if all timestamps are
    /// missing. An older timestamp than the known one comes from an outdated copy of the profile and is ignored.
    init(of profile: Profile, after seen: PreferenceRegisters) {
        let values = profile.preferences ?? [:]
        let timestamps = (profile.preferenceChanges ?? [:]).compactMapValues { LamportTimestamp($0) }
        let highest = max(timestamps.values.map(\.counter).max() ?? 0, seen.highestCounter)
        let after = LamportTimestamp.next(after: highest, by: .none)
        for name in Set(values.keys).union(timestamps.keys).union(seen.byName.keys) {
            let received = PreferenceRegister(value: values[name], changed: timestamps[name] ?? after)
            guard let before = seen.byName[name] else {
                byName[name] = received
                continue
            }
            let isDropped = values[name] == nil && timestamps[name] == nil && !timestamps.isEmpty
            if received.value == before.value && timestamps[name] == nil || isDropped
                || received.changed < before.changed
            {
                byName[name] = before
            } else if received.value != before.value, received.changed == before.changed {
                byName[name] = PreferenceRegister(value: received.value, changed: after)
            } else {
                byName[name] = received
            }
        }
    }

    var highestCounter: UInt64 { byName.values.map(\.changed.counter).max() ?? 0 }

    /// Returns the preferences merged with a device's waiting changes, which win unless the account has a larger
    /// timestamp.
    func joined(with pending: PreferenceRegisters) -> PreferenceRegisters {
        var joined = self
        joined.byName.merge(pending.byName) { $1.changed < $0.changed ? $0 : $1 }
        return joined
    }

    /// Writes the preferences to a profile. Only the last 100 removals are kept: a device that has not seen an older
    /// removal may restore its own value.
    func write(to profile: inout Profile) {
        let values = byName.compactMapValues(\.value)
        let removed = byName.filter { $0.value.value == nil }
            .sorted { ($0.value.changed, $0.key) > ($1.value.changed, $1.key) }.prefix(100)
        var timestamps = byName.filter { $0.value.value != nil }.mapValues(\.changed.text)
        for (name, register) in removed { timestamps[name] = register.changed.text }
        timestamps = timestamps.filter { !$0.value.isEmpty }
        profile.preferences = values.isEmpty ? nil : values
        profile.preferenceChanges = timestamps.isEmpty ? nil : timestamps
    }
}
