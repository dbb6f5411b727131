/// The body of `POST /dev/providers/{apple|google|facebook}/token`: the person to issue a token for.
package struct DevelopmentTokenRequest: Codable, Sendable, Equatable {
    /// The subject, 1 to 255 bytes of any text.
    package var subject: String
    package var email: String?
    /// Defaults to `true`.
    package var emailVerified: Bool?
    package var isPrivateEmail: Bool?
    /// The nonce, which is copied into the token unchanged.
    package var nonce: String?
    /// `false` simulates a platform without nonce support; only in Apple's tokens.
    package var nonceSupported: Bool?
    /// The `transfer_sub` claim, which simulates an app that was transferred to another team; only in Apple's tokens.
    package var transferID: String?
    /// The name, only in Google's and Facebook's tokens: Apple's tokens never contain a name.
    package var name: String?
    /// The organisation (`hd`), only in Google's tokens.
    package var hostedDomain: String?
    /// The client id that the token is for; the provider's default if absent.
    package var audience: String?
    /// The lifetime in seconds, at most a year; a negative number creates an expired token. Defaults to an hour.
    package var expiresIn: Int?

    package init(
        subject: String, email: String? = nil, emailVerified: Bool? = nil, isPrivateEmail: Bool? = nil,
        nonce: String? = nil, nonceSupported: Bool? = nil, transferID: String? = nil, name: String? = nil,
        hostedDomain: String? = nil,
        audience: String? = nil,
        expiresIn: Int? = nil
    ) {
        self.subject = subject
        self.email = email
        self.emailVerified = emailVerified
        self.isPrivateEmail = isPrivateEmail
        self.nonce = nonce
        self.nonceSupported = nonceSupported
        self.transferID = transferID
        self.name = name
        self.hostedDomain = hostedDomain
        self.audience = audience
        self.expiresIn = expiresIn
    }

    func validate() throws(DevelopmentProviderError) {
        guard (1...255).contains(subject.utf8.count) else { throw .invalidRequest("subject") }
        let year = 366 * 86_400
        guard (-year...year).contains(expiresIn ?? 0) else { throw .invalidRequest("expiresIn") }
        for text in [email, nonce, transferID, name, hostedDomain, audience] where (text ?? "").utf8.count > 1024 {
            throw .invalidRequest("a string longer than 1,024 bytes")
        }
    }
}

/// The response to `DevelopmentTokenRequest`, like the result of a provider's sign-in on a device.
package struct DevelopmentTokenResponse: Codable, Sendable, Equatable {
    package let idToken: String
    /// Valid once, for five minutes.
    package let authorizationCode: String
    /// A classic access token, from Facebook only.
    package let accessToken: String?
}
