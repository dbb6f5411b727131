/// One call of the HTTP API: method, path, and the body and response types. The server registers it and the SDK sends
/// it, so the two cannot disagree.
public struct Route<Body: Codable & Sendable, Answer: Codable & Sendable>: Sendable {
    /// The HTTP method.
    public let method: RouteMethod
    /// The path with `{name}` for each parameter, for example `/users/{serviceUserID}`.
    public let path: String

    /// Creates a route.
    public init(_ method: RouteMethod, _ path: String) {
        self.method = method
        self.path = path
    }
}

/// The HTTP methods of the API.
public enum RouteMethod: String, Sendable {
    /// Reads a resource.
    case get = "GET"
    /// Performs an action.
    case post = "POST"
    /// Replaces a resource.
    case put = "PUT"
    /// Removes a resource.
    case delete = "DELETE"
}

/// The type of an empty request body or of a response without content (204).
public struct EmptyBody: Codable, Sendable, Equatable {
    /// Creates an empty value.
    public init() {}
}
