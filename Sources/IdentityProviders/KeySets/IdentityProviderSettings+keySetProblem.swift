import Transport

extension IdentityProviderSettings {
    /// Fetches the provider's published keys, without a cache.
    /// - Returns: why ID tokens cannot be verified; `nil` if they can.
    package func keySetProblem(_ transport: any HTTPTransport) async -> String? {
        do {
            _ = try await KeySetSource(location: keySet, transport: transport).fetch()
            return nil
        } catch {
            return "the provider's keys cannot be fetched: \(error)"
        }
    }
}
