import Foundation

/// The fields of a form or a query (`application/x-www-form-urlencoded`), in order.
typealias FormFields = [(name: String, value: String)]

extension FormFields {
    var encoded: String {
        let allowed = CharacterSet.alphanumerics.union(["-", ".", "_", "~"])
        return map { "\($0.name)=\($0.value.addingPercentEncoding(withAllowedCharacters: allowed) ?? "")" }
            .joined(separator: "&")
    }
}
