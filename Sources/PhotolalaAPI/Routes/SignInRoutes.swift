extension Route where Body == ChallengeRequest, Answer == Challenge {
    /// Issues a challenge for the nonce of the next authentication. Requires an access token for `link` and
    /// `reauthenticate`.
    public static var challenge: Self { Route(.post, "/auth/challenge") }
}

extension Route where Body == SignUpRequest, Answer == SignedIn {
    /// Creates an account; never signs in to an existing one.
    public static var signUp: Self { Route(.post, "/auth/signup") }
    /// Signs in, or creates an account if the deployment allows it.
    public static var continueSignIn: Self { Route(.post, "/auth/continue") }
}

extension Route where Body == SignInRequest, Answer == SignedIn {
    /// Signs in to an existing account; never creates one.
    public static var signIn: Self { Route(.post, "/auth/signin") }
}

extension Route where Body == ReauthenticationRequest, Answer == Reauthenticated {
    /// Authenticates with an identity of the account again and returns an access token with a new `auth_time`.
    public static var reauthenticate: Self { Route(.post, "/auth/reauthenticate") }
}

extension Route where Body == RefreshRequest, Answer == SessionResponse {
    /// Exchanges a refresh token for the next session tokens.
    public static var refresh: Self { Route(.post, "/auth/refresh") }
}

extension Route where Body == SignOutRequest, Answer == EmptyBody {
    /// Ends this device's session.
    public static var signOut: Self { Route(.post, "/auth/signout") }
}

extension Route where Body == EmptyBody, Answer == EmptyBody {
    /// Ends all sessions of the account. Requires recent authentication.
    public static var signOutEverywhere: Self { Route(.post, "/auth/signout-everywhere") }
}
