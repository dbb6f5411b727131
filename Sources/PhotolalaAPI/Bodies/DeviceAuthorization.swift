/// Answer of `POST /device_authorization` (RFC 8628 section 3.2): a device without a browser may wait to be let in.
public struct DeviceAuthorization: Codable, Sendable, Equatable {
    /// What the device asks with.
    public let deviceCode: String
    /// What the person types: three groups of four letters.
    public let userCode: String
    /// Where.
    public let verificationURI: String
    /// Seconds.
    public let expiresIn: Int
    /// Seconds between two questions, at least.
    public let interval: Int

    private enum CodingKeys: String, CodingKey {
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case expiresIn = "expires_in"
        case interval
    }

    /// Lets a device wait.
    public init(
        deviceCode: String, userCode: String, verificationURI: String, expiresIn: Int, interval: Int
    ) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.verificationURI = verificationURI
        self.expiresIn = expiresIn
        self.interval = interval
    }
}
