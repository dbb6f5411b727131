import PhotoSync

/// The order in which waiting downloads start.
public enum PhotoPriority: Sendable {
    /// A photo that is visible. It starts before all photos of lower priority.
    case visible
    /// A photo that may become visible soon.
    case prefetch

    var load: LoadPriority {
        switch self {
        case .visible: .visible
        case .prefetch: .prefetch
        }
    }
}
