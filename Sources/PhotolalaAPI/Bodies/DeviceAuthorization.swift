/// The response body of `POST /device_authorization` (RFC 8628 section 3.2), which starts the authorization of a device
/// without a browser.
public struct DeviceAuthorization: Codable, Sendable, Equatable {
    /// The code with which the device polls.
    public let deviceCode: String
    /// The code that the user types: three groups of four letters.
    public let userCode: String
    /// The address at which the user types the code.
    public let verificationURI: String
    /// The lifetime of the codes, in seconds.
    public let expiresIn: Int
    /// The minimum interval between two polls, in seconds.
    public let interval: Int

    private enum CodingKeys: String, CodingKey {
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        case expiresIn = "expires_in"
        case interval
    }

    /// Creates a response.
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
