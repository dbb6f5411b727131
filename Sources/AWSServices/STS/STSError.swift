import StorageAccess

/// A failed call to the token service, and the required action. Only status and code of the response are reported:
/// its message can contain parts of the request.
struct STSError: Equatable {
    let status: Int
    /// Empty if the response has none.
    let code: String
    private let isAboutTime: Bool

    init(_ answer: CredentialResponse) {
        status = answer.status
        code = TokenServiceResponse.code(answer.bytes)
        let message = TokenServiceResponse.message(answer.bytes)
        // AWS's token service reports a wrong clock as a wrong signature, and only the message states the reason.
        isAboutTime =
            code == "RequestTimeTooSkewed" || code == "RequestExpired" || message.hasPrefix("Signature expired")
            || message.hasPrefix("Signature not yet current")
    }

    /// Whether other credentials of the service may help.
    var indicatesCredentialFailure: Bool {
        let codes: Set = [
            "ExpiredToken", "ExpiredTokenException", "InvalidAccessKeyId", "InvalidClientTokenId", "InvalidToken",
            "UnrecognizedClientException",
        ]
        return codes.contains(code)
    }

    var error: CredentialIssuerError {
        let passing: Set = [
            "InternalFailure", "RequestLimitExceeded", "ServiceUnavailable", "SlowDown", "Throttling",
            "ThrottlingException",
        ]
        let words = "the token service answers \(code.isEmpty ? "HTTP \(status)" : "\(code) (HTTP \(status))")"
        if passing.contains(code) || status == 429 || (status >= 500 && status != 501) { return .unavailable(words) }
        return .refused(advice.map { "\(words): \($0)" } ?? words)
    }

    /// The action required from the operator.
    private var advice: String? {
        if isAboutTime { return "set the clock of this machine" }
        if indicatesCredentialFailure { return "give the service other keys" }
        return switch code {
        case "AccessDenied":
            "allow the service sts:AssumeRole on the users' role, and name the service's role in its trust policy"
        case "MalformedPolicyDocument": "it does not understand the session policy"
        case "PackedPolicyTooLarge": "take a bucket with a shorter name"
        case "RegionDisabledException": "activate the token service in this region, or set another region's endpoint"
        case "SignatureDoesNotMatch", "IncompleteSignature": "the secret key or the region of the service is wrong"
        case "ValidationError": "check the role's name, and that its sessions may last an hour"
        case "InvalidAction": "this endpoint has no AssumeRole"
        default: nil
        }
    }
}
