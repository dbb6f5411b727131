import Foundation

/// How a device introduces itself at sign-in.
public struct DeviceDescription: Codable, Sendable, Equatable {
    /// Chosen by the device once and kept.
    public let id: DeviceID
    /// What the user calls it; 1 to 100 characters.
    public let name: String
    /// The maker's model, at most 100 characters.
    public let model: String?
    /// `ios`, `macos`, `android`, `linux`, `web`, …; 1 to 32 characters.
    public let platform: String

    /// Describes a device.
    public init(id: DeviceID, name: String, model: String? = nil, platform: String) {
        self.id = id
        self.name = name
        self.model = model
        self.platform = platform
    }
}

/// A signed-in device of the account.
public struct Device: Codable, Sendable, Equatable {
    /// The device's own id.
    public let id: DeviceID
    /// What the user calls it.
    public let name: String
    /// The maker's model.
    public let model: String?
    /// `ios`, `macos`, `android`, `linux`, `web`, ….
    public let platform: String
    /// The first sign-in.
    public let createdAt: Date
    /// The last sign-in or refresh; of a bound device to a day.
    public let lastSeenAt: Date
    /// The last finished sync that the device reported.
    public let lastSyncAt: Date?
    /// Whether its tokens are bound to a key that it holds, so that they are worth nothing elsewhere.
    public let isBound: Bool
    /// Whether it is the device that asks.
    public let isCurrent: Bool

    /// Lists a device.
    public init(
        id: DeviceID, name: String, model: String?, platform: String, createdAt: Date, lastSeenAt: Date,
        lastSyncAt: Date?, isBound: Bool, isCurrent: Bool
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
    }
}

/// The signed-in devices of an account, the most recently seen first.
public struct Devices: Codable, Sendable, Equatable {
    /// The devices.
    public let devices: [Device]
    /// How long a device that is removed may still reach the photo store with credentials that it has, in seconds; 0 where
    /// removal ends them at once. Left out by servers that do not say.
    public let storageAccessAfterRemoval: Int?

    /// Lists devices.
    public init(devices: [Device], storageAccessAfterRemoval: Int? = nil) {
        self.devices = devices
        self.storageAccessAfterRemoval = storageAccessAfterRemoval
    }
}
