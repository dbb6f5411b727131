import Foundation
import PhotoCatalog
import PhotolalaAPI

/// The preferences that a device stores for one account, or for no account before the first sign-in.
struct StoredPreferences: Codable, Equatable, Sendable {
    /// The preferences of the profile at the last synchronization.
    var seen = PreferenceRegisters()
    /// The preferences that were set on this device since.
    var waiting = PreferenceRegisters()
    /// The preferences of this device only.
    var own: [String: PreferenceValue] = [:]
    /// The digest of the last preferences that were adopted from the time without an account.
    var adopted: String?

    /// Sets a preference.
    /// - Parameter scope: The scope to set; by default, the scope of the effective value or, if there is none, the
    ///   usual scope of the name.
    mutating func set(_ name: String, to value: PreferenceValue?, for scope: PreferenceScope?, by device: DeviceTag) {
        guard scope ?? effectiveScope(name) ?? .usual(for: name) == .allDevices else {
            own[name] = value
            return
        }
        let counter = max(seen.highestCounter, waiting.highestCounter)
        waiting.byName[name] = PreferenceRegister(value: value, changed: .next(after: counter, by: device))
    }

    /// Returns the scope of the effective value on this device.
    func effectiveScope(_ name: String) -> PreferenceScope? { all.first { $0.name == name }?.scope }

    /// Adopts the preferences that were set without an account as if they were set now. Does so once per digest.
    mutating func adopt(_ local: StoredPreferences, digest: String) {
        guard adopted != digest else { return }
        adopted = digest
        own.merge(local.own) { $1 }
        let counter = max(seen.highestCounter, waiting.highestCounter)
        for (name, register) in local.waiting.byName {
            let changed = LamportTimestamp.next(after: counter + register.changed.counter, by: register.changed.device)
            waiting.byName[name] = PreferenceRegister(value: register.value, changed: changed)
        }
    }

    /// The number of preferences that are set for all devices.
    var sharedCount: Int { seen.byName.merging(waiting.byName) { $1 }.count { $0.value.value != nil } }

    /// The effective preferences on this device, ordered by name.
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

    /// Applies the result of a merge with the account's preferences.
    /// - Parameters:
    ///   - base: The value of `seen` at the start of the merge.
    ///   - sent: The value of `waiting` at the start of the merge.
    /// - Returns: `nil` if another process has synchronized in between, so that the result is outdated.
    mutating func reconcile(
        _ merged: PreferenceRegisters, onto base: PreferenceRegisters, sent: PreferenceRegisters
    ) -> PreferenceSynchronization? {
        guard seen == base else { return nil }
        let before = seen.byName.merging(sent.byName) { $1 }
        let names = Set(before.keys).union(merged.byName.keys)
        seen = merged
        // Preferences that were set during the merge keep waiting.
        waiting.byName = waiting.byName.filter { sent.byName[$0.key] != $0.value }
        return PreferenceSynchronization(
            changed: names.filter { before[$0]?.value != merged.byName[$0]?.value }.sorted(),
            overruled: sent.byName.filter { merged.byName[$0.key]?.value != $0.value.value }.keys.sorted()
        )
    }
}
