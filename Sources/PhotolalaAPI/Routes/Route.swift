/// One call of the HTTP contract: method, path, and the types that travel. The server mounts by it and the SDK sends
/// by it, so the two cannot disagree.
public struct Route<Body: Codable & Sendable, Answer: Codable & Sendable>: Sendable {
    /// The HTTP method.
    public let method: RouteMethod
    /// The path with `{name}` for each parameter, for example `/users/{serviceUserID}`.
    public let path: String

    /// Names a call.
    public init(_ method: RouteMethod, _ path: String) {
        self.method = method
        self.path = path
    }
}

/// The HTTP methods of the contract.
public enum RouteMethod: String, Sendable {
    /// Reads.
    case get = "GET"
    /// Acts.
    case post = "POST"
    /// Replaces.
    case put = "PUT"
    /// Removes.
    case delete = "DELETE"
}

/// The body of a call that sends none, or the answer of one that gives none (204).
public struct Nothing: Codable, Sendable, Equatable {
    /// Nothing.
    public init() {}
}
