//! What the server answers.

use smoltcp::iface::{Config, Interface, SocketHandle, SocketSet, SocketStorage};
use smoltcp::socket::{tcp, udp};
use smoltcp::time::{Duration, Instant};
use smoltcp::wire::{EthernetAddress, IpCidr, Ipv4Address};
use static_cell::StaticCell;

use crate::link::{LARGEST, Link, word};

const OWN: EthernetAddress = EthernetAddress([2, 0, 0, 0, 0, 2]);
const ADDRESS: Ipv4Address = Ipv4Address::new(10, 0, 0, 2);
const ECHO: u16 = 7;
const PAGES: u16 = 80;
const PAGE: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nFusee\n";

/// A connection on which nothing has come for so long is given up.
const PATIENCE: Duration = Duration::from_millis(500);

/// All memory of the sockets. There is no heap.
struct Memory {
    sockets: [SocketStorage<'static>; 2],
    heads: [[udp::PacketMetadata; 4]; 2],
    datagrams: [[u8; 4 * LARGEST]; 2],
    streams: [[u8; 2 * LARGEST]; 2],
}

static MEMORY: StaticCell<Memory> = StaticCell::new();

pub struct Server {
    link: Link,
    interface: Interface,
    sockets: SocketSet<'static>,
    echo: SocketHandle,
    pages: SocketHandle,
    echoed: u32,
    told: u32,
}

fn now() -> Instant {
    Instant::from_micros((camkes::now() / 1000) as i64)
}

impl Server {
    pub fn new() -> Self {
        let memory = MEMORY.init(Memory {
            sockets: [SocketStorage::EMPTY; 2],
            heads: [[udp::PacketMetadata::EMPTY; 4]; 2],
            datagrams: [[0; 4 * LARGEST]; 2],
            streams: [[0; 2 * LARGEST]; 2],
        });
        let mut link = Link::new();
        let mut interface = Interface::new(Config::new(OWN.into()), &mut link, now());
        interface.update_ip_addrs(|addresses| {
            // There is room for one.
            let _ = addresses.push(IpCidr::new(ADDRESS.into(), 24));
        });
        let [heads, more] = &mut memory.heads;
        let [received, sent] = &mut memory.datagrams;
        let echo = udp::Socket::new(
            udp::PacketBuffer::new(&mut heads[..], &mut received[..]),
            udp::PacketBuffer::new(&mut more[..], &mut sent[..]),
        );
        let [received, sent] = &mut memory.streams;
        let mut pages = tcp::Socket::new(
            tcp::SocketBuffer::new(&mut received[..]),
            tcp::SocketBuffer::new(&mut sent[..]),
        );
        pages.set_timeout(Some(PATIENCE));
        pages.set_ack_delay(None);
        let mut sockets = SocketSet::new(&mut memory.sockets[..]);
        let (echo, pages) = (sockets.add(echo), sockets.add(pages));
        Self { link, interface, sockets, echo, pages, echoed: 0, told: 0 }
    }

    /// Takes one packet and answers it.
    pub fn serve(&mut self) {
        self.link.take();
        self.listen();
        self.interface.poll(now(), &mut self.link, &mut self.sockets);
        self.echo();
        self.page();
        self.interface.poll(now(), &mut self.link, &mut self.sockets);
        self.tell();
    }

    /// Both ports are always open.
    fn listen(&mut self) {
        let echo = self.sockets.get_mut::<udp::Socket>(self.echo);
        if !echo.is_open() {
            // It is closed, and the port is none of 0, which are all that is refused.
            let _ = echo.bind(ECHO);
        }
        let pages = self.sockets.get_mut::<tcp::Socket>(self.pages);
        if !pages.is_open() {
            let _ = pages.listen(PAGES);
        }
    }

    /// Sends each datagram back.
    fn echo(&mut self) {
        let socket = self.sockets.get_mut::<udp::Socket>(self.echo);
        let mut datagram = [0; LARGEST];
        while let Ok((length, from)) = socket.recv_slice(&mut datagram) {
            if socket.send_slice(&datagram[..length], from.endpoint).is_ok() {
                self.echoed += 1;
            }
        }
    }

    /// Answers each request with the page; the client closes, and then so does the server.
    fn page(&mut self) {
        let socket = self.sockets.get_mut::<tcp::Socket>(self.pages);
        let mut request = [0; LARGEST];
        if let Ok(length) = socket.recv_slice(&mut request)
            && request[..length].ends_with(b"\r\n\r\n")
        {
            // The buffer has room for it whole: there is one request for each connection.
            let _ = socket.send_slice(PAGE);
        }
        if socket.is_open() && !socket.may_recv() && socket.may_send() {
            socket.close();
        }
    }

    /// Every hundred datagrams, what the client at the other end has seen.
    fn tell(&mut self) {
        if self.echoed < self.told + 100 {
            return;
        }
        self.told += 100;
        let seen = camkes::seen::shared();
        let number = |at: usize| i64::from(word(seen, at));
        camkes::line()
            .number(i64::from(self.echoed))
            .text(" datagrams; the other end has ")
            .number(number(0))
            .text(" back, and ")
            .number(number(4))
            .text(" pages")
            .end();
    }
}
