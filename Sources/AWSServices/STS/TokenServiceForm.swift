import HTTPTypes
import S3Protocol

/// The form body of a call to AWS's token service.
struct TokenServiceForm {
    static let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

    /// The percent-encoded parameters, sorted by name.
    let text: String

    /// - Parameter others: The parameters that are specific to the call.
    init(action: String, role: String, sessionName: String, _ others: [(name: String, value: String)]) {
        let common = [
            (name: "Action", value: action), ("RoleArn", role), ("RoleSessionName", sessionName),
            ("Version", "2011-06-15"),
        ]
        text = (common + others).sorted { $0.name < $1.name }
            .map { "\($0.name)=\(AWSPercentEncoding.encode($0.value))" }.joined(separator: "&")
    }
}
