import Foundation

/// An account as its owner sees it.
public struct User: Codable, Sendable, Equatable {
    /// The account's id; also the name of its prefixes in the store.
    public let serviceUserID: UserID
    /// The provider of the primary link.
    public let primaryProvider: ProviderName
    /// The identities that open the account.
    public let linkedProviders: [LinkedProvider]
    /// From the profile; left out where the answer must not cost a store request for it (sign-in).
    public let displayName: String?
    /// When the account was created.
    public let createdAt: Date
    /// What the account may store.
    public let subscription: Subscription
    /// Bytes at the last count; left out like `displayName`, and before the first count.
    public let storageUsed: Int64?
    /// When `storageUsed` was counted.
    public let storageCountedAt: Date?

    /// Shows an account.
    public init(
        serviceUserID: UserID, primaryProvider: ProviderName, linkedProviders: [LinkedProvider],
        displayName: String? = nil, createdAt: Date, subscription: Subscription, storageUsed: Int64? = nil,
        storageCountedAt: Date? = nil
    ) {
        self.serviceUserID = serviceUserID
        self.primaryProvider = primaryProvider
        self.linkedProviders = linkedProviders
        self.displayName = displayName
        self.createdAt = createdAt
        self.subscription = subscription
        self.storageUsed = storageUsed
        self.storageCountedAt = storageCountedAt
    }
}

/// How much an account may store, in decimal bytes as disks are sold.
public enum Tier: String, Codable, Sendable, CaseIterable {
    /// 5 GB.
    case free
    /// 50 GB.
    case basic
    /// 500 GB.
    case premium
    /// 2 TB.
    case professional

    /// Bytes the tier allows.
    public var storageLimit: Int64 {
        switch self {
        case .free: 5_000_000_000
        case .basic: 50_000_000_000
        case .premium: 500_000_000_000
        case .professional: 2_000_000_000_000
        }
    }
}

/// A provider identity that opens the account.
public struct LinkedProvider: Codable, Sendable, Equatable {
    /// The act of linking; what `POST /auth/unlink-account` names.
    public let linkID: LinkID
    /// The provider.
    public let provider: ProviderName
    /// The e-mail address the provider gave when it was linked; shown to the owner only.
    public let email: String?
    /// When it was linked.
    public let linkedAt: Date
    /// The last sign-in with it on a device that is still listed; left out at sign-in for the other links.
    public let lastUsedAt: Date?
    /// How it was linked.
    public let linkMethod: LinkMethod
    /// Whether it is the account's primary identity.
    public let isPrimary: Bool
    /// Where the link stands.
    public let state: LinkState
    /// When its unlinking takes effect; only in state `removing`.
    public let unlinksAt: Date?

    /// Shows a link.
    public init(
        linkID: LinkID, provider: ProviderName, email: String?, linkedAt: Date, lastUsedAt: Date?,
        linkMethod: LinkMethod, isPrimary: Bool, state: LinkState, unlinksAt: Date? = nil
    ) {
        self.linkID = linkID
        self.provider = provider
        self.email = email
        self.linkedAt = linkedAt
        self.lastUsedAt = lastUsedAt
        self.linkMethod = linkMethod
        self.isPrimary = isPrimary
        self.state = state
        self.unlinksAt = unlinksAt
    }
}

/// How a provider identity came to the account.
public enum LinkMethod: String, Codable, Sendable {
    /// The account was created with it.
    case created
    /// Its owner linked it.
    case userInitiated = "user_initiated"
    /// An operator linked it.
    case support
}

/// Where a link stands.
public enum LinkState: String, Codable, Sendable {
    /// Being linked; rolled forward by whoever meets it.
    case pending
    /// Opens the account.
    case active
    /// Its unlinking was requested and takes effect at `unlinksAt`. Until then it signs in, and the unlinking can be undone.
    /// In a stored account: unlinked already, with objects left to remove; such a link is never shown.
    case removing
    /// The provider withdrew it; a fresh proof brings it back.
    case revoked
}

/// Answer of the calls about linked accounts.
public struct LinkedProviders: Codable, Sendable, Equatable {
    /// The identities that open the account, in the order they were linked.
    public let linkedProviders: [LinkedProvider]

    /// Lists links.
    public init(linkedProviders: [LinkedProvider]) { self.linkedProviders = linkedProviders }
}

/// What a user says of themselves. At most 64 KiB as JSON.
public struct Profile: Codable, Sendable, Equatable {
    /// At most 200 characters.
    public var displayName: String?
    /// Key of the picture under the user's own `users/` prefix, or an https address; at most 1,024 characters.
    public var picture: String?
    /// The user's own settings by name, at most 100 of them.
    public var preferences: [String: PreferenceValue]?
    /// When each preference was last set or removed, as devices that merge them say it: a counter and the device's tag,
    /// `17@0a1b2c3d`. At most 200, of at most 32 characters. Who writes preferences without it may leave it out.
    public var preferenceChanges: [String: String]?

    /// Describes a person.
    public init(
        displayName: String? = nil, picture: String? = nil, preferences: [String: PreferenceValue]? = nil,
        preferenceChanges: [String: String]? = nil
    ) {
        self.displayName = displayName
        self.picture = picture
        self.preferences = preferences
        self.preferenceChanges = preferenceChanges
    }
}

/// The last count of what an account stores.
public struct Usage: Codable, Sendable, Equatable {
    /// Bytes under the user's prefixes; left out before the first count.
    public let storageUsed: Int64?
    /// When they were counted.
    public let storageCountedAt: Date?
    /// Bytes the tier allows.
    public let storageLimit: Int64
    /// What new storage credentials allow at this moment.
    public let access: StorageAccessLevel
    /// The same by kind; left out before the first count.
    public let byKind: UsageByKind?
    /// How photos and thumbnails come to the store; left out where storage credentials write them.
    public let uploads: UploadWay?

    /// Shows a count.
    public init(
        storageUsed: Int64?, storageCountedAt: Date?, storageLimit: Int64, access: StorageAccessLevel,
        byKind: UsageByKind? = nil, uploads: UploadWay? = nil
    ) {
        self.byKind = byKind
        self.uploads = uploads
        self.storageUsed = storageUsed
        self.storageCountedAt = storageCountedAt
        self.storageLimit = storageLimit
        self.access = access
    }
}

/// What an account stores, by what it is for.
public struct UsageByKind: Codable, Sendable, Equatable {
    /// Photos and videos, those in the trash too.
    public let photos: StoredObjects
    /// Thumbnails.
    public let thumbnails: StoredObjects
    /// Catalogs, with their history.
    public let catalogs: StoredObjects
    /// The profile, and whatever else the user keeps.
    public let data: StoredObjects

    /// Shows a count.
    public init(photos: StoredObjects, thumbnails: StoredObjects, catalogs: StoredObjects, data: StoredObjects) {
        self.photos = photos
        self.thumbnails = thumbnails
        self.catalogs = catalogs
        self.data = data
    }
}

/// How much is stored of one kind.
public struct StoredObjects: Codable, Sendable, Equatable {
    /// Their bytes.
    public let bytes: Int64
    /// How many.
    public let objects: Int

    /// Shows a count.
    public init(bytes: Int64, objects: Int) {
        self.bytes = bytes
        self.objects = objects
    }
}
