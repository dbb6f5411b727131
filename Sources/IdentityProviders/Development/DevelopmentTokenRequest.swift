/// The body of `POST /dev/providers/{apple|google|facebook}/token`: the person whom the provider shall vouch for.
package struct DevelopmentTokenRequest: Codable, Sendable, Equatable {
    /// 1 to 255 bytes of anything.
    package var subject: String
    package var email: String?
    /// Defaults to `true`.
    package var emailVerified: Bool?
    package var isPrivateEmail: Bool?
    /// Echoed into the token as it stands.
    package var nonce: String?
    /// `false` plays a system whose sign-in carries no nonce; in a token in Apple's form only.
    package var nonceSupported: Bool?
    /// `transfer_sub`: plays an app that has moved to another team; in a token in Apple's form only.
    package var transferID: String?
    /// In a token in Google's or Facebook's form only: Apple never puts a name into one.
    package var name: String?
    /// The organisation (`hd`), in a token in Google's form only.
    package var hostedDomain: String?
    /// The client id the token is for; the provider's default when absent.
    package var audience: String?
    /// Seconds; a negative number makes a token that has expired. At most a year either way, an hour when absent.
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
            throw .invalidRequest("a text of more than 1024 bytes")
        }
    }
}

/// The answer to `DevelopmentTokenRequest`, as a provider's sign-in would end on a device.
package struct DevelopmentTokenResponse: Codable, Sendable, Equatable {
    package let idToken: String
    /// Single use, five minutes.
    package let authorizationCode: String
    /// A classic access token, from Facebook only.
    package let accessToken: String?
}
