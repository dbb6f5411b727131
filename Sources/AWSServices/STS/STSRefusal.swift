import StorageAccess

/// A call of the token service that failed, and what has to be done about it. Of the answer only status and code are
/// told on: its message can quote the request.
struct STSRefusal: Equatable {
    let status: Int
    /// Empty when the answer has none.
    let code: String
    private let isAboutTime: Bool

    init(_ answer: CredentialAnswer) {
        status = answer.status
        code = TokenServiceAnswer.code(answer.bytes)
        let message = TokenServiceAnswer.message(answer.bytes)
        // AWS's token service tells a wrong clock as a wrong signature, and says so in words alone.
        isAboutTime =
            code == "RequestTimeTooSkewed" || code == "RequestExpired" || message.hasPrefix("Signature expired")
            || message.hasPrefix("Signature not yet current")
    }

    /// Whether other keys of the service may help.
    var blamesCredentials: Bool {
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

    /// What the operator has to do.
    private var advice: String? {
        if isAboutTime { return "set the clock of this machine" }
        if blamesCredentials { return "give the service other keys" }
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
