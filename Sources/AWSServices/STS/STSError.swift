import StorageAccess

/// A failed call to the token service, and the required action. Only status and code of the response are reported:
/// its message can contain parts of the request.
struct STSError: Equatable {
    let status: Int
    /// Empty if the response has none.
    let code: String
    private let isAboutTime: Bool

    init(_ response: CredentialResponse) {
        status = response.status
        code = TokenServiceResponse.code(response.bytes)
        let message = TokenServiceResponse.message(response.bytes)
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
        let message = "the token service returned \(code.isEmpty ? "HTTP \(status)" : "\(code) (HTTP \(status))")"
        if passing.contains(code) || status == 429 || (status >= 500 && status != 501) { return .unavailable(message) }
        return .refused(advice.map { "\(message). \($0)" } ?? message)
    }

    /// The action required from the operator.
    private var advice: String? {
        if isAboutTime { return "Set the clock of this machine" }
        if indicatesCredentialFailure { return "Configure other keys for the server" }
        return switch code {
        case "AccessDenied":
            "Allow the server sts:AssumeRole on the users' role, name the server's role in its trust policy, "
                + "and set sts.externalID if that policy demands it"
        case "MalformedPolicyDocument": "It does not support the session policy"
        case "PackedPolicyTooLarge": "Use a bucket with a shorter name"
        case "RegionDisabledException": "Activate the token service in this region, or set another region's endpoint"
        case "SignatureDoesNotMatch", "IncompleteSignature": "Check the server's secret key and region"
        case "ValidationError": "Check sts.roleARN, and that the role's sessions can last an hour"
        case "InvalidAction": "This endpoint does not support AssumeRole"
        default: nil
        }
    }
}
