import PhotolalaAPI

/// For which devices a preference is set.
public enum PreferenceScope: String, Sendable, Codable, Equatable {
    /// For all devices of the account: it goes into the profile and is merged there.
    case allDevices
    /// For this device alone: it never leaves it, and counts here before what is set for all.
    case thisDevice

    /// What is meant where nobody says it. Whether a device backs up by itself, and over which network, is a question of
    /// that device; everything else a person wants everywhere.
    public static func usual(for name: String) -> PreferenceScope {
        ["autoBackup", "wifiOnlyBackup"].contains(name) ? .thisDevice : .allDevices
    }
}

/// A preference as it counts on this device.
public struct Preference: Sendable, Codable, Equatable {
    /// Its name.
    public let name: String
    /// Its value.
    public let value: PreferenceValue
    /// Where that is set.
    public let scope: PreferenceScope
    /// Whether the account does not know it yet: it was set here since the last synchronization.
    public let isWaiting: Bool
}

/// What came of a synchronization of preferences.
public struct PreferenceSynchronization: Sendable, Codable, Equatable {
    /// Names whose value for all devices is another one on this device now.
    public let changed: [String]
    /// Names that were set here and that another device set after it had seen more: that one counts.
    public let overruled: [String]
}
