import PhotolalaAPI
import PhotolalaClient

/// The JSON form of a failure: `{"error": {…}}`.
struct FailureReport: Encodable {
    struct Body: Encodable {
        let code: ErrorCode
        let detail: String
        let cause: FailureCause?
        let requestID: String?
        let status: Int?
        let retryAfter: Int?
        let hints: [AccountHint]?
        let advice: [String]?
    }

    let error: Body

    init(_ failure: CommandFailure) {
        error = Body(
            code: failure.error.code, detail: failure.error.detail, cause: failure.error.cause,
            requestID: failure.error.requestID, status: failure.error.status, retryAfter: failure.error.retryAfter,
            hints: failure.error.hints.isEmpty ? nil : failure.error.hints,
            advice: failure.advice.isEmpty ? nil : failure.advice
        )
    }
}
