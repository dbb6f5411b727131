@main struct Entrypoint { static func main() {} }
