import Foundation

extension Route where Body == EmptyBody, Answer == LinkedProviders {
    /// Returns the provider identities that open this account.
    public static var linkedAccounts: Self { Route(.get, "/auth/linked-accounts") }
}

extension Route where Body == LinkRequest, Answer == LinkedProviders {
    /// Links another provider identity. Requires authentication with an identity of the account at most 10 minutes ago.
    public static var linkAccount: Self { Route(.post, "/auth/link-account") }
}

extension Route where Body == UnlinkRequest, Answer == LinkedProviders {
    /// Unlinks a provider identity, immediately or after a delay. The last identity cannot be unlinked. Requires recent
    /// authentication.
    public static var unlinkAccount: Self { Route(.post, "/auth/unlink-account") }
}

extension Route where Body == EmptyBody, Answer == LinkedProviders {
    /// Cancels an unlinking that has not taken effect yet.
    public static var undoUnlink: Self { Route(.delete, "/auth/unlink-account/{linkID}") }
}

extension Route where Body == EmptyBody, Answer == Devices {
    /// Returns the signed-in devices.
    public static var devices: Self { Route(.get, "/auth/devices") }
}

extension Route where Body == EmptyBody, Answer == EmptyBody {
    /// Signs a device out remotely. Requires recent authentication.
    public static var removeDevice: Self { Route(.delete, "/auth/devices/{id}") }
    /// Records that the calling device has just completed a sync.
    public static var reportSync: Self { Route(.put, "/auth/devices/{id}/last-sync") }
}

extension Route where Body == EmptyBody, Answer == StorageCredentials {
    /// Issues short-lived S3 credentials for the user's own prefixes.
    public static var credentials: Self { Route(.post, "/auth/credentials") }
}

extension Route where Body == EmptyBody, Answer == User {
    /// Returns the account.
    public static var user: Self { Route(.get, "/users/{serviceUserID}") }
}

extension Route where Body == EmptyBody, Answer == Profile {
    /// Returns the user's own profile. The response's `ETag` allows a conditional replacement.
    public static var profile: Self { Route(.get, "/users/{serviceUserID}/profile") }
}

extension Route where Body == Profile, Answer == Profile {
    /// Replaces the profile. With `If-Match`, only if it has not changed.
    public static var replaceProfile: Self { Route(.put, "/users/{serviceUserID}/profile") }
}

extension Route where Body == EmptyBody, Answer == Data {
    /// Returns the profile picture as an image file. The response's `ETag` allows a conditional replacement.
    public static var picture: Self { Route(.get, "/users/{serviceUserID}/picture") }
}

extension Route where Body == Data, Answer == EmptyBody {
    /// Replaces the profile picture by an image file. With `If-Match`, only if it has not changed.
    public static var replacePicture: Self { Route(.put, "/users/{serviceUserID}/picture") }
}

extension Route where Body == EmptyBody, Answer == EmptyBody {
    /// Removes the profile picture. With `If-Match`, only if it has not changed.
    public static var removePicture: Self { Route(.delete, "/users/{serviceUserID}/picture") }
}

extension Route where Body == EmptyBody, Answer == Usage {
    /// Returns the last storage count of the account.
    public static var usage: Self { Route(.get, "/users/{serviceUserID}/usage") }
}

extension Route where Body == EmptyBody, Answer == AuditPage {
    /// Returns the account's audit events, newest first; the query parameters `before` and `limit` select a page.
    public static var audit: Self { Route(.get, "/users/{serviceUserID}/audit") }
}
