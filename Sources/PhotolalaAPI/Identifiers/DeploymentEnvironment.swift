/// Where a server, its store and its tokens belong. There is no default: each is named at the start.
public enum DeploymentEnvironment: String, Sendable, Codable, CaseIterable {
    /// A developer's machine: loopback only, and the development provider may play Apple and Google.
    case dev
    /// A rehearsal with real providers and no real users.
    case stage
    /// Real people's photos.
    case prod
}
