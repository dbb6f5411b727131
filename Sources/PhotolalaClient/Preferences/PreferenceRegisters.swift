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
        let stamps = (profile.preferenceChanges ?? [:]).compactMapValues { LamportTimestamp($0) }
        let highest = max(stamps.values.map(\.counter).max() ?? 0, seen.highestCounter)
        let after = LamportTimestamp.next(after: highest, by: .none)
        for name in Set(values.keys).union(stamps.keys).union(seen.byName.keys) {
            let told = PreferenceRegister(value: values[name], changed: stamps[name] ?? after)
            guard let before = seen.byName[name] else {
                byName[name] = told
                continue
            }
            let isDropped = values[name] == nil && stamps[name] == nil && !stamps.isEmpty
            if told.value == before.value && stamps[name] == nil || isDropped || told.changed < before.changed {
                byName[name] = before
            } else if told.value != before.value, told.changed == before.changed {
                byName[name] = PreferenceRegister(value: told.value, changed: after)
            } else {
                byName[name] = told
            }
        }
    }

    var highestCounter: UInt64 { byName.values.map(\.changed.counter).max() ?? 0 }

    /// Returns the preferences merged with a device's waiting changes, which win unless the account has a larger
    /// timestamp.
    func joined(with waiting: PreferenceRegisters) -> PreferenceRegisters {
        var joined = self
        joined.byName.merge(waiting.byName) { $1.changed < $0.changed ? $0 : $1 }
        return joined
    }

    /// Writes the preferences to a profile. Only the last 100 removals are kept: a device that has not seen an older
    /// removal may restore its own value.
    func write(to profile: inout Profile) {
        let values = byName.compactMapValues(\.value)
        let removed = byName.filter { $0.value.value == nil }
            .sorted { ($0.value.changed, $0.key) > ($1.value.changed, $1.key) }.prefix(100)
        var stamps = byName.filter { $0.value.value != nil }.mapValues(\.changed.text)
        for (name, register) in removed { stamps[name] = register.changed.text }
        stamps = stamps.filter { !$0.value.isEmpty }
        profile.preferences = values.isEmpty ? nil : values
        profile.preferenceChanges = stamps.isEmpty ? nil : stamps
    }
}
