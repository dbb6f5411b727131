/// The environment of a server, its store and its tokens. It has no default: each start names it.
public enum DeploymentEnvironment: String, Sendable, Codable, CaseIterable {
    /// A developer's machine: loopback only, and the development provider may replace Apple and Google.
    case dev
    /// A test deployment with real providers and without real users.
    case stage
    /// The production deployment with real users.
    case prod
}
