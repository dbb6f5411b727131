import Foundation
import PhotoLibrary
import PhotolalaAPI

/// What a device keeps of one account's preferences, and of nobody's before the first sign-in.
struct KeptPreferences: Codable, Equatable, Sendable {
    /// As the profile was at the last synchronization.
    var seen = PreferenceRegisters()
    /// Set here since.
    var waiting = PreferenceRegisters()
    /// Of this device alone.
    var own: [String: PreferenceValue] = [:]
    /// What was taken over last of what was set while nobody was signed in, by its digest.
    var adopted: String?

    /// - Parameter scope: where the value that counts is set, or as is usual for the name, when there is none.
    mutating func set(_ name: String, to value: PreferenceValue?, for scope: PreferenceScope?, by device: DeviceTag) {
        guard scope ?? counting(name) ?? .usual(for: name) == .allDevices else {
            own[name] = value
            return
        }
        let counter = max(seen.highestCounter, waiting.highestCounter)
        waiting.byName[name] = PreferenceRegister(value: value, changed: .next(after: counter, by: device))
    }

    /// Where the value is set that counts on this device.
    func counting(_ name: String) -> PreferenceScope? { all.first { $0.name == name }?.scope }

    /// What was set while nobody was signed in counts as set here now, once.
    mutating func adopt(_ nobodys: KeptPreferences, digest: String) {
        guard adopted != digest else { return }
        adopted = digest
        own.merge(nobodys.own) { $1 }
        let counter = max(seen.highestCounter, waiting.highestCounter)
        for (name, register) in nobodys.waiting.byName {
            let changed = ChangeStamp.next(after: counter + register.changed.counter, by: register.changed.device)
            waiting.byName[name] = PreferenceRegister(value: register.value, changed: changed)
        }
    }

    /// Preferences that are set for all devices.
    var sharedCount: Int { seen.byName.merging(waiting.byName) { $1 }.count { $0.value.value != nil } }

    /// What counts on this device, by name.
    var all: [Preference] {
        let shared = seen.byName.merging(waiting.byName) { $1 }.compactMapValues(\.value)
        let names = Set(shared.keys).union(own.keys)
        return names.sorted().compactMap { name in
            if let value = own[name] {
                return Preference(name: name, value: value, scope: .thisDevice, isWaiting: false)
            }
            return shared[name].map {
                Preference(name: name, value: $0, scope: .allDevices, isWaiting: waiting.byName[name] != nil)
            }
        }
    }

    /// The preferences were merged with what the account has.
    /// - Parameters:
    ///   - base: what had been seen when they were.
    ///   - told: what was waiting then.
    /// - Returns: `nil` when another process has synchronized meanwhile, so that this is no news.
    mutating func settle(
        _ merged: PreferenceRegisters, onto base: PreferenceRegisters, told: PreferenceRegisters
    ) -> PreferenceSynchronization? {
        guard seen == base else { return nil }
        let before = seen.byName.merging(told.byName) { $1 }
        let names = Set(before.keys).union(merged.byName.keys)
        seen = merged
        // What was set meanwhile goes on waiting.
        waiting.byName = waiting.byName.filter { told.byName[$0.key] != $0.value }
        return PreferenceSynchronization(
            changed: names.filter { before[$0]?.value != merged.byName[$0]?.value }.sorted(),
            overruled: told.byName.filter { merged.byName[$0.key]?.value != $0.value.value }.keys.sorted()
        )
    }
}
