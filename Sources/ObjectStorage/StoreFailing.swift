/// The error of a step that works on stored objects: it tells a damaged object from a store that fails.
package protocol StoreFailing: Error {
    /// A stored object is not what the step writes.
    static func corrupted(_ what: String) -> Self
    /// The store did not do as it was asked.
    static func store(_ error: ObjectStoreError) -> Self
}

extension StoreFailing {
    /// Runs a store request and names its failure as the step's.
    package static func storing<Value: Sendable>(
        _ request: () async throws(ObjectStoreError) -> Value
    ) async throws(Self) -> Value {
        do {
            return try await request()
        } catch .corrupted(let key) {
            throw .corrupted(key)
        } catch .tooLarge(let limit) {
            throw .corrupted("an object of more than \(limit) bytes")
        } catch {
            throw .store(error)
        }
    }
}
