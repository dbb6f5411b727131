import PhotoLibrary
import PhotolalaAPI

/// What is said last of each preference. No clock decides what that is: the larger stamp does, and the order in which
/// devices replace the profile where there is none.
struct PreferenceRegisters: Codable, Equatable, Sendable {
    var byName: [String: PreferenceRegister] = [:]

    init() {}

    init(from decoder: any Decoder) throws { byName = try [String: PreferenceRegister](from: decoder) }
    func encode(to encoder: any Encoder) throws { try byName.encode(to: encoder) }

    /// What a profile says. A preference without a stamp, or with another value under the stamp that was seen, was set by
    /// somebody who merges nothing: that counts as a change after all that was seen. So does one that is gone, where all
    /// stamps are gone. What has an older stamp than was seen was put back with an older copy of the profile, and does not
    /// count.
    init(of profile: Profile, after seen: PreferenceRegisters) {
        let values = profile.preferences ?? [:]
        let stamps = (profile.preferenceChanges ?? [:]).compactMapValues { ChangeStamp($0) }
        let highest = max(stamps.values.map(\.counter).max() ?? 0, seen.highestCounter)
        let after = ChangeStamp.next(after: highest, by: .none)
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

    /// With what waits on a device: that counts unless the account has a larger stamp.
    func joined(with waiting: PreferenceRegisters) -> PreferenceRegisters {
        var joined = self
        joined.byName.merge(waiting.byName) { $1.changed < $0.changed ? $0 : $1 }
        return joined
    }

    /// Puts them into a profile. Of what was removed the last 100 are kept: a device that did not hear of an older
    /// removal may bring its own setting back.
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
