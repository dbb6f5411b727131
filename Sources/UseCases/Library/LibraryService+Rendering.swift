extension LibraryService {
    /// Runs an operation that renders a page of a library in memory. One runs at a time for each account, and its time
    /// counts as reading time. The operation must not wait for the store: it occupies one of as many permits as there
    /// are processors.
    /// - Throws: `rateLimited` if the account has used its reading time or requests too many pages at once;
    ///   `unavailable` if too many pages of all accounts wait; and the errors of the operation.
    package func render<Value: Sendable>(
        for caller: Caller, _ act: () async throws -> Value
    ) async throws -> Value {
        try await libraries.renderings.withPermit(for: caller.user, act)
    }
}
