import ObjectStorage

/// A request of an actor. The details are only for the trace.
enum SimulatedRequest: Sendable, Equatable, CustomStringConvertible {
    case get(ObjectKey)
    case head(ObjectKey)
    case read(ObjectKey)
    case put(ObjectKey, PutCondition)
    case write(ObjectKey, PutCondition)
    case delete(ObjectKey, DeleteCondition)
    case list(prefix: String, after: String?)

    var isChange: Bool {
        switch self {
        case .get, .head, .read, .list: false
        case .put, .write, .delete: true
        }
    }

    var description: String {
        switch self {
        case .get(let key): "get \(key)"
        case .head(let key): "head \(key)"
        case .read(let key): "read \(key)"
        case .put(let key, let condition): "put \(key) \(condition)"
        case .write(let key, let condition): "write \(key) \(condition)"
        case .delete(let key, let condition): "delete \(key) \(condition)"
        case .list(let prefix, let after): "list \(prefix) after \(after ?? "-")"
        }
    }
}
