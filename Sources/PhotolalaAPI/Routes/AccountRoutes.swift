extension Route where Body == Nothing, Answer == LinkedProviders {
    /// The provider identities that open this account.
    public static var linkedAccounts: Self { Route(.get, "/auth/linked-accounts") }
}

extension Route where Body == LinkRequest, Answer == LinkedProviders {
    /// Links another provider identity. Needs a proof of the account's own identity that is at most 10 minutes old.
    public static var linkAccount: Self { Route(.post, "/auth/link-account") }
}

extension Route where Body == UnlinkRequest, Answer == LinkedProviders {
    /// Unlinks a provider identity, at once or after a delay. The last one stays. Needs a recent proof.
    public static var unlinkAccount: Self { Route(.post, "/auth/unlink-account") }
}

extension Route where Body == Nothing, Answer == LinkedProviders {
    /// Undoes an unlinking that has not taken effect yet.
    public static var undoUnlink: Self { Route(.delete, "/auth/unlink-account/{linkID}") }
}

extension Route where Body == Nothing, Answer == Devices {
    /// The devices that are signed in.
    public static var devices: Self { Route(.get, "/auth/devices") }
}

extension Route where Body == Nothing, Answer == Nothing {
    /// Signs a device out from afar. Needs a recent proof.
    public static var removeDevice: Self { Route(.delete, "/auth/devices/{id}") }
    /// Notes that the asking device has just finished a sync.
    public static var noteSync: Self { Route(.put, "/auth/devices/{id}/last-sync") }
}

extension Route where Body == Nothing, Answer == StorageCredentials {
    /// Short-lived S3 credentials for the user's own prefixes.
    public static var credentials: Self { Route(.post, "/auth/credentials") }
}

extension Route where Body == Nothing, Answer == User {
    /// The account itself.
    public static var user: Self { Route(.get, "/users/{serviceUserID}") }
}

extension Route where Body == Nothing, Answer == Profile {
    /// The user's own profile; the answer's `ETag` allows a conditional replacement.
    public static var profile: Self { Route(.get, "/users/{serviceUserID}/profile") }
}

extension Route where Body == Profile, Answer == Profile {
    /// Replaces the profile. With `If-Match`, only if nobody changed it since.
    public static var replaceProfile: Self { Route(.put, "/users/{serviceUserID}/profile") }
}

extension Route where Body == Nothing, Answer == Usage {
    /// The last count of what the account stores.
    public static var usage: Self { Route(.get, "/users/{serviceUserID}/usage") }
}

extension Route where Body == Nothing, Answer == AuditPage {
    /// The acts on the account, the newest first; `before` and `limit` in the query choose a page.
    public static var audit: Self { Route(.get, "/users/{serviceUserID}/audit") }
}
