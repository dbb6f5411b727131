import HTTPTypes

/// The methods of a path, for the answer to a request with another one.
package struct PathMethods {
    /// Every registered method that applies to a path: of RFC 9110, RFC 5789 and the draft of QUERY.
    package static let registered: [HTTPRequest.Method] =
        [.get, .head, .post, .put, .patch, .delete, .options, .trace] + [HTTPRequest.Method("QUERY")].compactMap(\.self)

    /// The value of `Allow`.
    package let allowed: String
    /// The registered methods that the path does not have.
    package let others: [HTTPRequest.Method]

    /// - Parameter mounted: The methods of the path's routes.
    package init(_ mounted: [HTTPRequest.Method]) {
        var known = Set(mounted)
        // The router answers HEAD for every GET route.
        if known.contains(.get) { known.insert(.head) }
        allowed = known.map(\.rawValue).sorted().joined(separator: ", ")
        others = Self.registered.filter { !known.contains($0) }
    }
}
