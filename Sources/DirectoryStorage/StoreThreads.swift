import NIOPosix

/// The threads for blocking work, so that no task blocks.
struct StoreThreads: Sendable {
    let readers: NIOThreadPool
    let writers: NIOThreadPool

    init(readers: NIOThreadPool, writers: NIOThreadPool) {
        self.readers = readers
        self.writers = writers
    }

    init() {
        self.init(readers: NIOThreadPool(numberOfThreads: 4), writers: NIOThreadPool(numberOfThreads: 12))
        readers.start()
        writers.start()
    }

    /// Stops the threads of a store that was never closed.
    func stop() {
        readers.shutdownGracefully { _ in }
        writers.shutdownGracefully { _ in }
    }
}
