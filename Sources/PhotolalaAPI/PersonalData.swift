/// One kind of data that a store holds about a person. `all` is the only list of them: a deletion erases exactly these,
/// and a test compares it with `StorageLayout`.
package struct PersonalData: Sendable {
    /// What a deletion does with a kind of data.
    package enum Erasure: Sendable, Equatable {
        /// All objects below its prefixes are deleted.
        case deleted
        /// The account's own entries are deleted; the same key may belong to another account later.
        case deletedIfOwn
        /// The account document stays as a tombstone until everything else is gone, and is deleted last.
        case deletedLast
        /// The person is removed from an object that stays.
        case anonymized
        /// Deleted by itself, at the latest after this time.
        case expires(String)
        /// Stays, without a name: an HMAC or sealed data.
        case kept(String)
    }

    /// Whether an export contains a kind of data.
    package enum Export: Sendable, Equatable {
        /// As files with their own content.
        case files
        /// As part of a JSON file.
        case json(String)
        /// Not, for this reason.
        case none(String)
    }

    /// The name in receipts, in snake case.
    package let name: String
    /// The functions of `StorageLayout` that return its keys.
    package let functions: [String]
    /// Returns the prefixes that hold only this kind of data of a person; empty if it is stored otherwise.
    package let prefixes: @Sendable (UserID) -> [String]
    package let erasure: Erasure
    package let export: Export
    /// Why it is stored.
    package let purpose: String
    /// How long it is stored.
    package let retention: String

    private init(
        _ name: String, _ functions: [String], _ erasure: Erasure, _ export: Export, purpose: String,
        retention: String, prefixes: @escaping @Sendable (UserID) -> [String] = { _ in [] }
    ) {
        self.name = name
        self.functions = functions
        self.prefixes = prefixes
        self.erasure = erasure
        self.export = export
        self.purpose = purpose
        self.retention = retention
    }

    /// Who reads a kind of data, besides those who operate its storage.
    package enum Reader: String, Sendable {
        case person, apps, service
    }

    /// The readers: storage credentials open the person's own prefixes to the person and to authorized apps, and the
    /// person gets what is exported.
    package func readers(of user: UserID) -> [Reader] {
        let own = StorageLayout.userPrefixes(user)
        let kind = prefixes(user)
        if !kind.isEmpty, kind.allSatisfy(own.contains) { return [.person, .apps, .service] }
        if case .none = export { return [.service] }
        return [.person, .service]
    }

    /// Whether a deletion erases it before the account document.
    package var isErased: Bool { erasure == .deleted || erasure == .deletedIfOwn }

    /// All kinds of personal data, in the order of erasure.
    package static let all: [PersonalData] = [
        // The person's own objects.
        PersonalData(
            "photos", ["photos", "photo", "userPrefixes"], .deleted, .files, purpose: "the photo library",
            retention: "until the person deletes them"
        ) { [StorageLayout.photos($0)] },
        PersonalData(
            "thumbnails", ["thumbnails", "thumbnail", "previews", "preview"], .deleted, .none("made from the photos"),
            purpose: "showing photos: small pictures, and large ones below `previews/`", retention: "as the photos"
        ) { [StorageLayout.thumbnails($0)] },
        PersonalData(
            "catalogs", ["catalogs", "catalogFiles", "catalogPointer", "catalogSnapshot"], .deleted, .files,
            purpose: "names, dates, places and cameras of photos, with history", retention: "as the photos"
        ) { [StorageLayout.catalogs($0)] },
        PersonalData(
            "user_data", ["userData", "profile", "favorites", "hidden", "albums", "metadata"], .deleted,
            .json("profile.json"),
            purpose: "name, picture, preferences, favorite and archived photos, and albums",
            retention: "until the person changes them"
        ) { [StorageLayout.userData($0)] },
        PersonalData(
            "uploads", ["uploads"], .deleted, .none("incomplete files"), purpose: "unfinished uploads",
            retention: "7 days"
        ) { [StorageLayout.uploads($0)] },
        PersonalData(
            "legacy_imports", ["legacyMoves", "legacyMove"], .deleted, .none("technical"),
            purpose: "the import from an earlier system", retention: "until the import is confirmed"
        ) { [StorageLayout.legacyMoves($0)] },
        // The ways into the account.
        PersonalData(
            "identities", ["identity"], .deletedIfOwn, .json("account.json"),
            purpose: "finding the account at sign-in: the provider's id of the person",
            retention: "until the identity is unlinked"),
        PersonalData(
            "email_hints", ["emailHint"], .deletedIfOwn, .json("account.json"),
            purpose: "reminding a person which provider they used: a keyed hash of the address",
            retention: "as the identity"),
        // The account's records.
        PersonalData(
            "devices", ["devices", "device"], .deleted, .json("devices.json"),
            purpose: "sessions, remote sign-out; the country of the last sign-in, if the server determines it",
            retention: "90 days after the last session"
        ) { [StorageLayout.devices($0)] },
        PersonalData(
            "device_list", ["deviceList"], .deleted, .none("a copy"), purpose: "a cache of the devices",
            retention: "as the devices"
        ) { [StorageLayout.deviceList($0)] },
        PersonalData(
            "usage", ["usage"], .deleted, .json("account.json"), purpose: "the quota",
            retention: "replaced at each count"
        ) { [StorageLayout.usage($0)] },
        PersonalData(
            "usage_changes", ["usageChanges", "usageChange"], .deleted, .none("technical"),
            purpose: "counting what may have changed", retention: "until the next count, about a day"
        ) { [StorageLayout.usageChanges($0)] },
        PersonalData(
            "identity_moves", ["identityMoves", "identityMove"], .deleted, .none("technical"),
            purpose: "ending moves of identities that operators requested", retention: "8 days"
        ) { [StorageLayout.identityMoves($0)] },
        PersonalData(
            "reservations", ["reservations"], .deleted, .none("technical"), purpose: "the quota of uploads",
            retention: "hours, at most 9 days"
        ) { [StorageLayout.reservations($0)] },
        PersonalData(
            "picture", ["picture"], .deleted, .files, purpose: "showing the person's picture to the person",
            retention: "until the person removes it"
        ) { [StorageLayout.picture($0)] },
        PersonalData(
            "provider_tokens", ["providerTokens"], .deleted, .none("secret"),
            purpose: "asking the provider whether consent stands, and withdrawing it: sealed",
            retention: "as the identity"
        ) { [StorageLayout.providerTokens($0)] },
        PersonalData(
            "audit_log", ["audit", "auditEntry"], .deleted, .json("history.json"),
            purpose:
                "showing the person what happened to the account, with the country of sign-ins, and investigating misuse",
            retention: "as the account"
        ) { [StorageLayout.audit($0)] },
        PersonalData(
            "exports", ["exports", "export", "exportHead", "exportDigests", "exportSignature"], .deleted,
            .none("a copy"), purpose: "continuing the download of an export", retention: "7 days"
        ) { [StorageLayout.exports($0)] },
        PersonalData(
            "shared_links", ["sharedLinks", "sharedLink"], .deleted, .json("shared-links.json"),
            purpose: "showing photos to those who have a link: its title, photos, options and number of views",
            retention: "until the person deletes them"
        ) { [StorageLayout.sharedLinks($0)] },
        // Records of the service that name the account.
        PersonalData(
            "event_deliveries", ["eventDelivery"], .deleted, .none("technical"),
            purpose: "telling the app's server about the account", retention: "until delivered"
        ) { [StorageLayout.eventDelivery($0)] },
        PersonalData(
            "mail_deliveries", ["mailDelivery"], .deleted, .none("technical"),
            purpose: "telling the person about sign-ins and changes by e-mail", retention: "until sent, at most 4 days"
        ) { [StorageLayout.mailDelivery($0)] },
        PersonalData(
            "provider_calls", ["providerCall"], .deletedIfOwn, .none("technical"),
            purpose: "pending requests to a provider", retention: "7 days"),
        PersonalData(
            "team_transfers", ["teamTransfer", "teamTransferID"], .deletedIfOwn, .none("technical"),
            purpose: "keeping Apple identities when an app changes its team: sealed", retention: "90 days"),
        PersonalData(
            "subscriptions", ["subscription"], .anonymized, .json("subscriptions.json"),
            purpose: "the paid storage", retention: "the owner: as the account"),
        PersonalData(
            "device_codes", ["deviceCode"], .expires("2 hours"), .none("technical"),
            purpose: "approving a device with a code", retention: "2 hours"),
        PersonalData(
            "trials", ["trial"], .kept("HMAC of provider and id"), .json("subscriptions.json"),
            purpose: "one free trial for each identity",
            retention: "2 years after the trial, up to a month more after a recovery"),
        PersonalData(
            "account", ["account", "accountDocument"], .deletedLast, .json("account.json"),
            purpose: "links, tier, session epoch, language of e-mails", retention: "until the account is deleted"),
        PersonalData(
            "deletions", ["deletion"], .deletedLast, .none("technical"), purpose: "a scheduled deletion",
            retention: "until the account is deleted"),
        PersonalData(
            "erasures", ["erasure"], .kept("HMAC of the account id; the receipt, sealed"), .none("made at the end"),
            purpose: "deleting an account again that a backup brings back, and proving the deletion",
            retention: "without end"),
    ]
}
