import HTTPTypes
import SigV4

/// A call of AWS's token service as the form that it is sent as.
struct TokenServiceForm {
    static let headers: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]

    /// The parameters in the order of their names, percent-encoded.
    let text: String

    /// - Parameter others: the parameters that not every call has.
    init(action: String, role: String, sessionName: String, _ others: (name: String, value: String)...) {
        let common = [
            (name: "Action", value: action), ("RoleArn", role), ("RoleSessionName", sessionName),
            ("Version", "2011-06-15"),
        ]
        text = (common + others).sorted { $0.name < $1.name }
            .map { "\($0.name)=\(AWSPercentEncoding.encode($0.value))" }.joined(separator: "&")
    }
}
