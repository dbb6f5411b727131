import PhotolalaAPI

/// The part of an event that distinguishes a request for a challenge.
struct ChallengeEvent: Decodable {
    private let purpose: String?
    private let idToken: String?
    private let pendingIdentity: String?

    var isForChallenge: Bool { purpose != nil && idToken == nil && pendingIdentity == nil }
}

/// The part of an event that authenticates a session.
struct SessionEvent: Decodable, Sendable {
    /// The account that the app believes to act for.
    let serviceUserID: UserID
    let accessToken: String
}

/// The answer of `AuthenticateUser`.
struct AuthenticatedUser: Encodable {
    private let user: User
    private let session: Session
    private let undoneUnlinks: [LinkID]?
    /// `nil` if none could be issued.
    private let credentials: StorageCredentials?

    init(_ signedIn: SignedIn, credentials: StorageCredentials?) {
        (user, session, undoneUnlinks) = (signedIn.user, signedIn.session, signedIn.undoneUnlinks)
        self.credentials = credentials
    }
}

/// The answer of `LinkProvider`.
struct UpdatedUser: Encodable {
    /// `nil` if the account could not be read after the link was stored.
    let user: User?
    let linkedProviders: [LinkedProvider]
}
