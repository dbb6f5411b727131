import Foundation

/// An account as its owner sees it.
public struct User: Codable, Sendable, Equatable {
    /// The account's ID, which also names its prefixes in the store.
    public let serviceUserID: UserID
    /// The provider of the primary link.
    public let primaryProvider: ProviderName
    /// The linked identities.
    public let linkedProviders: [LinkedProvider]
    /// The display name from the profile; omitted where the response must not cost a store request for it (sign-in).
    public let displayName: String?
    /// When the account was created.
    public let createdAt: Date
    /// The account's tier and storage limit.
    public let subscription: Subscription
    /// The number of bytes at the last count; omitted like `displayName`, and before the first count.
    public let storageUsed: Int64?
    /// When `storageUsed` was counted.
    public let storageCountedAt: Date?
    /// The scheduled deletion of the account; omitted if there is none.
    public let deletion: AccountDeletion?

    /// Creates an account.
    public init(
        serviceUserID: UserID, primaryProvider: ProviderName, linkedProviders: [LinkedProvider],
        displayName: String? = nil, createdAt: Date, subscription: Subscription, storageUsed: Int64? = nil,
        storageCountedAt: Date? = nil, deletion: AccountDeletion? = nil
    ) {
        self.serviceUserID = serviceUserID
        self.primaryProvider = primaryProvider
        self.linkedProviders = linkedProviders
        self.displayName = displayName
        self.createdAt = createdAt
        self.subscription = subscription
        self.storageUsed = storageUsed
        self.storageCountedAt = storageCountedAt
        self.deletion = deletion
    }
}

/// The storage limit of an account, in decimal units.
public enum Tier: String, Codable, Sendable, CaseIterable {
    /// 5 GB.
    case free
    /// 50 GB.
    case basic
    /// 500 GB.
    case premium
    /// 2 TB.
    case professional

    /// The number of bytes that the tier allows.
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
    /// The ID of the link, as used by `POST /auth/unlink-account`.
    public let linkID: LinkID
    /// The provider.
    public let provider: ProviderName
    /// The e-mail address that the provider supplied at linking; visible only to the owner.
    public let email: String?
    /// When it was linked.
    public let linkedAt: Date
    /// The last sign-in with this identity on a device that is still listed; omitted at sign-in for the other links.
    public let lastUsedAt: Date?
    /// How it was linked.
    public let linkMethod: LinkMethod
    /// Whether it is the account's primary identity.
    public let isPrimary: Bool
    /// The state of the link.
    public let state: LinkState
    /// When the unlinking takes effect; only in state `removing`.
    public let unlinksAt: Date?

    /// Creates a link.
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

/// How a provider identity was linked to the account.
public enum LinkMethod: String, Codable, Sendable, CaseIterable {
    /// The account was created with it.
    case created
    /// The account's owner linked it.
    case userInitiated = "user_initiated"
    /// An operator linked it.
    case support
}

/// The state of a link.
public enum LinkState: String, Codable, Sendable, CaseIterable {
    /// Linking is in progress; the next reader completes it.
    case pending
    /// The identity opens the account.
    case active
    /// Unlinking was requested and takes effect at `unlinksAt`. Until then, the identity can sign in and the unlinking
    /// can be cancelled. In a stored account: already unlinked, with objects left to remove; such a link is never
    /// shown.
    case removing
    /// The provider revoked it; a new ID token restores it.
    case revoked
}

/// Response body of the linked-account calls.
public struct LinkedProviders: Codable, Sendable, Equatable {
    /// The linked identities, in the order in which they were linked.
    public let linkedProviders: [LinkedProvider]

    /// Creates a list of links.
    public init(linkedProviders: [LinkedProvider]) { self.linkedProviders = linkedProviders }
}

/// A user's own profile, at most 64 KiB as JSON.
public struct Profile: Codable, Sendable, Equatable {
    /// The display name, at most 200 characters.
    public var displayName: String?
    /// The key of the picture under the user's own `users/` prefix, or an https address; at most 1,024 characters.
    public var picture: String?
    /// The user's settings by name, at most 100.
    public var preferences: [String: PreferenceValue]?
    /// When each preference was last set or removed, as a Lamport timestamp: a counter and the device's tag, for
    /// example `17@0a1b2c3d`. At most 200 entries, each at most 32 characters. Optional for clients that do not merge
    /// preferences.
    public var preferenceChanges: [String: String]?

    /// Creates a profile.
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

/// The limits of a profile picture, which is a JPEG, PNG or WebP file.
public enum ProfilePictureLimit {
    /// The largest size, in bytes.
    public static let bytes = 64 << 10
    /// The largest width and height, in pixels.
    public static let edge = 512
}

/// The last storage count of an account.
public struct Usage: Codable, Sendable, Equatable {
    /// The number of bytes under the user's prefixes; omitted before the first count.
    public let storageUsed: Int64?
    /// When the bytes were counted.
    public let storageCountedAt: Date?
    /// The number of bytes that the tier allows.
    public let storageLimit: Int64
    /// The access level of storage credentials issued now.
    public let access: StorageAccessLevel
    /// The count by kind; omitted before the first count.
    public let byKind: UsageByKind?
    /// How photos, thumbnails and previews are uploaded; omitted if storage credentials can write them directly.
    public let uploads: UploadMethod?

    /// Creates a count.
    public init(
        storageUsed: Int64?, storageCountedAt: Date?, storageLimit: Int64, access: StorageAccessLevel,
        byKind: UsageByKind? = nil, uploads: UploadMethod? = nil
    ) {
        self.byKind = byKind
        self.uploads = uploads
        self.storageUsed = storageUsed
        self.storageCountedAt = storageCountedAt
        self.storageLimit = storageLimit
        self.access = access
    }
}

/// The storage count of an account by kind of object.
public struct UsageByKind: Codable, Sendable, Equatable {
    /// Photos and videos, including those in the trash.
    public let photos: StoredObjects
    /// Thumbnails; with previews if these are omitted.
    public let thumbnails: StoredObjects
    /// Previews; omitted if the last count did not separate them.
    public let previews: StoredObjects?
    /// Catalogs, including their history.
    public let catalogs: StoredObjects
    /// The profile and all other objects under the user's `users/` prefix.
    public let data: StoredObjects

    /// Creates a count.
    public init(
        photos: StoredObjects, thumbnails: StoredObjects, previews: StoredObjects? = nil, catalogs: StoredObjects,
        data: StoredObjects
    ) {
        self.photos = photos
        self.thumbnails = thumbnails
        self.previews = previews
        self.catalogs = catalogs
        self.data = data
    }
}

/// The storage count of one kind of object.
public struct StoredObjects: Codable, Sendable, Equatable {
    /// The total size, in bytes.
    public let bytes: Int64
    /// The number of objects.
    public let objects: Int

    /// Creates a count.
    public init(bytes: Int64, objects: Int) {
        self.bytes = bytes
        self.objects = objects
    }
}
