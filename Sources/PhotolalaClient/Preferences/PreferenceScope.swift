import PhotolalaAPI

/// The devices to which a preference applies.
public enum PreferenceScope: String, Sendable, Codable, Equatable {
    /// All devices of the account. The value is stored in the profile and merged there.
    case allDevices
    /// This device only. The value never leaves the device and overrides the one for all devices.
    case thisDevice

    /// Returns the default scope of a name. Whether a device backs up automatically, and over which network, is
    /// specific to the device; all other preferences apply to all devices.
    public static func usual(for name: String) -> PreferenceScope {
        ["autoBackup", "wifiOnlyBackup"].contains(name) ? .thisDevice : .allDevices
    }
}

/// A preference as it applies on this device.
public struct Preference: Sendable, Codable, Equatable {
    /// The name.
    public let name: String
    /// The value.
    public let value: PreferenceValue
    /// The scope in which the value is set.
    public let scope: PreferenceScope
    /// Whether the value was set here since the last synchronization and is not stored in the account yet.
    public let isWaiting: Bool
}

/// The result of a synchronization of preferences.
public struct PreferenceSynchronization: Sendable, Codable, Equatable {
    /// The names whose value for all devices has changed on this device.
    public let changed: [String]
    /// The names that were set here but superseded by another device that had seen a later state.
    public let overruled: [String]
}
