import Foundation

/// The description that a device sends at sign-in.
public struct DeviceDescription: Codable, Sendable, Equatable {
    /// The device's ID, which the device chooses once and stores.
    public let id: DeviceID
    /// The name of the device as set by its user; 1 to 100 characters.
    public let name: String
    /// The manufacturer's model name, at most 100 characters.
    public let model: String?
    /// The platform: `ios`, `macos`, `android`, `linux`, `web`, …; 1 to 32 characters.
    public let platform: String
    /// Whether the key of the session was created in hardware that never exports it, such as the Secure Enclave. A server
    /// that allows it extends such a session with its use. Not stored with the device.
    public let hardwareKey: Bool?

    /// Creates a description.
    public init(id: DeviceID, name: String, model: String? = nil, platform: String, hardwareKey: Bool? = nil) {
        self.id = id
        self.name = name
        self.model = model
        self.platform = platform
        self.hardwareKey = hardwareKey
    }
}

/// A signed-in device of the account.
public struct Device: Codable, Sendable, Equatable {
    /// The device's ID.
    public let id: DeviceID
    /// The name of the device as set by its user.
    public let name: String
    /// The manufacturer's model name.
    public let model: String?
    /// The platform: `ios`, `macos`, `android`, `linux`, `web`, ….
    public let platform: String
    /// When the device first signed in.
    public let createdAt: Date
    /// When the device last signed in or refreshed; accurate to a day for a device with bound tokens.
    public let lastSeenAt: Date
    /// When the device last reported a completed sync.
    public let lastSyncAt: Date?
    /// Whether the device's tokens are bound to a key that it holds, which makes them useless on any other device.
    public let isBound: Bool
    /// Whether this is the device that made the request.
    public let isCurrent: Bool
    /// The country from which the device signed in last. Omitted by servers that do not determine it.
    public let country: CountryCode?

    /// Creates a device.
    public init(
        id: DeviceID, name: String, model: String?, platform: String, createdAt: Date, lastSeenAt: Date,
        lastSyncAt: Date?, isBound: Bool, isCurrent: Bool, country: CountryCode? = nil
    ) {
        self.id = id
        self.name = name
        self.model = model
        self.platform = platform
        self.createdAt = createdAt
        self.lastSeenAt = lastSeenAt
        self.lastSyncAt = lastSyncAt
        self.isBound = isBound
        self.isCurrent = isCurrent
        self.country = country
    }
}

/// The signed-in devices of an account, most recently seen first.
public struct Devices: Codable, Sendable, Equatable {
    /// The devices.
    public let devices: [Device]
    /// How long a removed device can still reach the photo store with credentials that it already has, in seconds; 0 if
    /// removal revokes them immediately. Omitted by servers that do not report it.
    public let storageAccessAfterRemoval: Int?

    /// Creates a list of devices.
    public init(devices: [Device], storageAccessAfterRemoval: Int? = nil) {
        self.devices = devices
        self.storageAccessAfterRemoval = storageAccessAfterRemoval
    }
}
